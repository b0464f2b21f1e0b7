/*
 * A large PNG averaged down to a smooth one.
 *
 * Each pixel is the mean of the square it covers (a box filter), which turns the hard edges of
 * libplot's bitmaps into anti-aliased ones. libpng's simplified API reads any kind of PNG that
 * libplot chooses to write; the full one writes, for the description that goes with the picture.
 */
#include "plots/picture.h"

#include <errno.h>
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANNELS       3u
#define DOTS_PER_METRE 3780u /* 96 an inch: what an SVG's pixel is */

static void average(const uint8_t *from, uint8_t *to, uint32_t width, uint32_t height,
		    uint32_t times)
{
	const size_t stride = (size_t)width * times * CHANNELS;
	const uint32_t area = times ? times * times : 1;

	for (uint32_t y = 0; y < height; y++) {
		for (uint32_t x = 0; x < width * CHANNELS; x++) {
			const uint8_t *at = from + (size_t)y * times * stride +
					    (size_t)(x / CHANNELS) * times * CHANNELS +
					    x % CHANNELS;
			uint32_t sum = area / 2;

			for (uint32_t dy = 0; dy < times; dy++)
				for (uint32_t dx = 0; dx < times; dx++)
					sum += at[dy * stride + dx * CHANNELS];
			*to++ = (uint8_t)(sum / area);
		}
	}
}

static void write_data(png_structp png, png_bytep data, size_t len)
{
	if (fwrite(data, 1, len, png_get_io_ptr(png)) != len)
		png_error(png, "out of memory");
}

static void flush_data(png_structp png)
{
	(void)png; /* a memory stream needs none */
}

static void quiet(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message; /* the caller says what went wrong, once */
}

static void fail(png_structp png, png_const_charp message)
{
	(void)message;
	png_longjmp(png, 1);
}

static int write_png(FILE *out, const uint8_t *pixels, uint32_t width, uint32_t height,
		     uint32_t density, char *title)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, quiet);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	static char key[] = "Title", maker_key[] = "Software", maker[] = "tandem-plot";
	png_text text[2] = {
		{.compression = PNG_TEXT_COMPRESSION_NONE, .key = key, .text = title},
		{.compression = PNG_TEXT_COMPRESSION_NONE, .key = maker_key, .text = maker},
	};

	if (!info || setjmp(png_jmpbuf(png))) {
		png_destroy_write_struct(&png, &info);
		return -ENOMEM;
	}
	png_set_write_fn(png, out, write_data, flush_data);
	png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_pHYs(png, info, DOTS_PER_METRE * density, DOTS_PER_METRE * density,
		     PNG_RESOLUTION_METER);
	png_set_text(png, info, text, 2);
	png_write_info(png, info);
	for (uint32_t y = 0; y < height; y++)
		png_write_row(png, pixels + (size_t)y * width * CHANNELS);
	png_write_end(png, NULL);
	png_destroy_write_struct(&png, &info);
	return 0;
}

int picture_png(const char *png, size_t len, int width, int height, int density, int times,
		const char *title, char **out, size_t *out_len)
{
	png_image image = {.version = PNG_IMAGE_VERSION};
	uint8_t *large = NULL, *small = NULL;
	char *latin1 = picture_latin1(title);
	FILE *f = NULL;
	int rc = -EPROTO;

	*out = NULL;
	if (!png_image_begin_read_from_memory(&image, png, len))
		goto cleanup;
	image.format = PNG_FORMAT_RGB;
	if (image.width != (uint32_t)(width * times) || image.height != (uint32_t)(height * times))
		goto cleanup;
	rc = -ENOMEM;
	large = malloc(PNG_IMAGE_SIZE(image));
	small = malloc((size_t)width * (size_t)height * CHANNELS);
	if (!large || !small || !latin1 || !png_image_finish_read(&image, NULL, large, 0, NULL))
		goto cleanup;
	average(large, small, (uint32_t)width, (uint32_t)height, (uint32_t)times);
	f = open_memstream(out, out_len);
	if (f)
		rc = write_png(f, small, (uint32_t)width, (uint32_t)height, (uint32_t)density,
			       latin1);
cleanup:
	if (f && fclose(f) != 0)
		rc = -ENOMEM;
	if (rc < 0) {
		free(*out);
		*out = NULL;
	}
	png_image_free(&image);
	free(large);
	free(small);
	free(latin1);
	return rc;
}
