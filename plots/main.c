/*
 * tandem-plot's way in; what it does is in dispatch.c, which the unit tests link too.
 */
#include "plots/cmd.h"

int main(int argc, char **argv)
{
	return plot_main(argc, argv);
}
