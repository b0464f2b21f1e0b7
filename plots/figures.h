/*
 * All pictures there are, by name.
 */
#ifndef TANDEM_FIGURES_H
#define TANDEM_FIGURES_H

#include "plots/figure.h"

typedef int (*figure_maker)(const struct figure_input *in, struct figure *figure, char *err,
			    size_t errlen);

/* Each says what it needs that results must have been loaded with LOAD_TRIALS, or only the set. */
int latency_load_figure(const struct figure_input *in, struct figure *figure, char *err,
			size_t errlen);
int loss_figure(const struct figure_input *in, struct figure *figure, char *err, size_t errlen);
int percentiles_figure(const struct figure_input *in, struct figure *figure, char *err,
		       size_t errlen);
int histogram_figure(const struct figure_input *in, struct figure *figure, char *err,
		     size_t errlen);
int cpu_figure(const struct figure_input *in, struct figure *figure, char *err, size_t errlen);
int timeline_figure(const struct figure_input *in, struct figure *figure, char *err, size_t errlen);
int spacing_figure(const struct figure_input *in, struct figure *figure, char *err, size_t errlen);

#endif
