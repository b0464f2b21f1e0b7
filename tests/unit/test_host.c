/*
 * Host facts: every key is there on any machine, of its type or null.
 */
#include "tests/unit/unit.h"

#include "common/host.h"

static void test_every_key_is_there(void **state)
{
	static const char *const texts[] = {"hostname",	     "os",	  "kernel",
					    "machine",	     "cpu_model", "cpus_allowed",
					    "isolated_cpus", "nohz_full", "governor",
					    "clocksource",   "hypervisor"};
	static const char *const numbers[] = {"cpus_online", "numa_nodes", "memory_bytes",
					      "load_1min"};
	static const char *const bools[] = {"constant", "nonstop", "invariant", "reliable",
					    "known_freq"};
	json_t *facts = host_facts(), *value;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		value = json_object_get(facts, texts[i]);
		assert_true(json_is_string(value) || json_is_null(value));
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		value = json_object_get(facts, numbers[i]);
		assert_true(json_is_null(value) || json_number_value(value) >= 0);
	}
	for (size_t i = 0; i < sizeof(bools) / sizeof(bools[0]); i++) {
		value = json_object_get(json_object_get(facts, "tsc"), bools[i]);
		assert_true(json_is_boolean(value) || json_is_null(value));
	}
	value = json_object_get(facts, "smt");
	assert_true(json_is_boolean(value) || json_is_null(value));
	value = json_object_get(facts, "hugepages");
	assert_true(json_is_object(value) || json_is_null(value));
	value = json_object_get(facts, "mitigations");
	assert_true(json_is_object(value) || json_is_null(value));
	json_decref(facts);
}

static void test_hugepage_bytes_are_the_pools(void **state)
{
	json_t *facts = host_facts(), *pool;
	unsigned long long bytes = 0;
	const char *size;

	(void)state;
	json_object_foreach (json_object_get(facts, "hugepages"), size, pool)
		bytes += strtoull(size, NULL, 10) * 1024 *
			 (unsigned long long)json_integer_value(json_object_get(pool, "total"));
	assert_true(host_free_hugepage_bytes() <= bytes);
	json_decref(facts);
}

static void test_allowed_cpus(void **state)
{
	int cpus[8192], few[1] = {-1}, n;

	(void)state;
	n = host_allowed_cpus(cpus, 8192);
	assert_true(n >= 1);
	for (int i = 1; i < n; i++)
		assert_true(cpus[i] > cpus[i - 1]);
	assert_int_equal(host_allowed_cpus(few, 1), n);
	assert_int_equal(few[0], cpus[0]);
	assert_int_equal(host_allowed_cpus(NULL, 0), n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_key_is_there),
		cmocka_unit_test(test_hugepage_bytes_are_the_pools),
		cmocka_unit_test(test_allowed_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
