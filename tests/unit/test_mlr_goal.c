/*
 * Goals of MLRsearch as they are written: what they mean, and what is refused.
 */
#include "tests/unit/unit.h"

#include "gen/methods/mlr_goal.h"

static struct mlr_goal parse(const char *text)
{
	struct mlr_goal goal;
	char err[256] = "";
	int rc = mlr_goal_parse(text, &goal, err, sizeof(err));

	if (rc)
		print_message("%s\n", err);
	assert_int_equal(rc, 0);
	assert_true(mlr_goal_sensible(&goal));
	return goal;
}

static void test_defaults(void **state)
{
	struct mlr_goal g = parse("ndr");

	(void)state;
	assert_string_equal(g.name, "ndr");
	assert_true(g.loss_ratio == 0 && g.exceed_ratio == 0.5 && g.width == 0.005);
	assert_true(g.initial_trial_s == 1 && g.final_trial_s == 1 && g.duration_sum_s == 21);
	g = parse("pdr");
	assert_string_equal(g.name, "pdr");
	assert_true(g.loss_ratio == 0.005);
	assert_true(parse("ndr=0%").loss_ratio == 0);
	assert_true(fabs(parse("pdr=0.1%").loss_ratio - 0.001) < 1e-15);
	g = parse("my_goal-2.b=12%");
	assert_string_equal(g.name, "my_goal-2.b");
	assert_true(fabs(g.loss_ratio - 0.12) < 1e-15);
}

static void test_settings(void **state)
{
	struct mlr_goal g = parse("pdr=0.5%:exceed=20%:width=1%:initial=100ms:trial=500ms:sum=20s");

	(void)state;
	assert_true(g.loss_ratio == 0.005 && g.exceed_ratio == 0.2 && g.width == 0.01);
	assert_true(g.initial_trial_s == 0.1 && g.final_trial_s == 0.5 && g.duration_sum_s == 20);
	/* RFC 2544 as a goal, and how defaults give way. */
	g = parse("ndr:exceed=0%:trial=60s");
	assert_true(g.exceed_ratio == 0 && g.final_trial_s == 60 && g.duration_sum_s == 60);
	assert_true(g.initial_trial_s == 1);
	g = parse("ndr:trial=50ms");
	assert_true(g.initial_trial_s == 0.05 && g.final_trial_s == 0.05);
	assert_true(g.duration_sum_s == 21);
	g = parse("ndr:sum=200ms");
	assert_true(g.initial_trial_s == 0.2 && g.final_trial_s == 0.2 && g.duration_sum_s == 0.2);
}

static void test_refuses(void **state)
{
	/* What is refused, and a word that the line about it has. */
	static const char *const bad[][2] = {
		{"", "name"},
		{"=0.5%", "name"},
		{"NDR", "name"},
		{"a b=1%", "name"},
		{"abcdefghijklmnopqrstuvwxyz0123456789=1%", "name"},
		{"foo", "foo=0.1%"},
		{"ndr=0.5%", "pdr=0.5%"},
		{"pdr=", "percentage"},
		{"pdr=0.5", "percentage"},
		{"pdr=0.005", "0.5%"},
		{"pdr=-1%", "percentage"},
		{"pdr=0x1%", "percentage"},
		{"pdr=nan%", "percentage"},
		{"pdr=.5%", "percentage"},
		{"pdr=1.2.3%", "percentage"},
		{"pdr=0.5%%", "percentage"},
		{"pdr=100%", "not between"},
		{"pdr=0.5%:", "setting"},
		{"pdr:ratio=5", "exceed, width"},
		{"pdr:trial", "needs a value"},
		{"pdr:trial=", "needs a value"},
		{"pdr:trial=soon", "duration"},
		{"pdr:trial=0s", "not between"},
		{"pdr:trial=2h", "not between"},
		{"pdr:sum=100h", "not between"},
		{"pdr:trial=1s:trial=2s", "twice"},
		{"pdr:exceed=100%", "not between"},
		{"pdr:exceed=0.5", "percentage"},
		{"pdr:width=0%", "not between"},
		{"pdr:width=0.001%", "not between"},
		{"pdr:width=60%", "not between"},
		{"pdr:trial=1s:initial=2s", "longer"},
		{"pdr:trial=30s:sum=20s", "shorter"},
		{"pdr:trial=1ms", "1000 trials"},
	};
	struct mlr_goal goal = {.name = "untouched"};
	char err[256], longer[600];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err[0] = '\0';
		assert_int_equal(mlr_goal_parse(bad[i][0], &goal, err, sizeof(err)), -EINVAL);
		if (!strstr(err, bad[i][1]))
			fail_msg("'%s': '%s' does not say '%s'", bad[i][0], err, bad[i][1]);
		assert_null(strchr(err, '\n'));
	}
	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(mlr_goal_parse(longer, &goal, err, sizeof(err)), -EINVAL);
	assert_string_equal(goal.name, "untouched");
}

static void test_lists(void **state)
{
	struct mlr_goals goals = {0};
	char err[256], longer[4000];

	(void)state;
	assert_int_equal(mlr_goals_add(&goals, "ndr", err, sizeof(err)), 0);
	assert_int_equal(mlr_goals_add(&goals, "pdr=0.5%:width=1%,b=1%", err, sizeof(err)), 0);
	assert_int_equal(goals.n, 3);
	assert_string_equal(goals.list[2].name, "b");
	assert_true(goals.list[1].width == 0.01);
	/* All of a list or nothing. */
	assert_int_equal(mlr_goals_add(&goals, "c=1%,b=2%", err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "of that name"));
	assert_int_equal(mlr_goals_add(&goals, "c=1%,,d=2%", err, sizeof(err)), -EINVAL);
	assert_int_equal(mlr_goals_add(&goals, "", err, sizeof(err)), -EINVAL);
	assert_int_equal(goals.n, 3);
	assert_int_equal(mlr_goals_add(&goals, "c=1%,d=1%,e=1%,f=1%,g=1%", err, sizeof(err)), 0);
	assert_int_equal(goals.n, MLR_GOALS_MAX);
	assert_int_equal(mlr_goals_add(&goals, "h=1%", err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "8 already"));
	memset(longer, ',', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(mlr_goals_add(&goals, longer, err, sizeof(err)), -EINVAL);
}

static void test_sensible(void **state)
{
	struct mlr_goal g = parse("pdr");

	(void)state;
	g.loss_ratio = NAN;
	assert_false(mlr_goal_sensible(&g));
	g = parse("pdr");
	g.width = 0;
	assert_false(mlr_goal_sensible(&g));
	g = parse("pdr");
	g.duration_sum_s = INFINITY;
	assert_false(mlr_goal_sensible(&g));
	g = parse("pdr");
	g.exceed_ratio = 1;
	assert_false(mlr_goal_sensible(&g));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults), cmocka_unit_test(test_settings),
		cmocka_unit_test(test_refuses),	 cmocka_unit_test(test_lists),
		cmocka_unit_test(test_sensible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
