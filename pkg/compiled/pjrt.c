#define _DEFAULT_SOURCE
#include "pjrt.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/mman.h>
#include <unistd.h>

// The plugin whose functions these are. There is one for the processor, and it is the process's.
static pjrt_api *plugin;
static void *(*compile_anew)(void *);

const char *pjrt_intercept(const char *path) {
	void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	if (library == NULL)
		return "it is not loaded";
	pjrt_api *(*get)(void) = (pjrt_api * (*)(void)) dlsym(library, "GetPjrtApi");
	pjrt_api *found = get == NULL ? NULL : get();
	if (found == NULL)
		return "it has no table of functions";
	if (found == plugin)
		return NULL;
	if (plugin != NULL)
		return "another plugin's executables are kept already in this process";
	if (found->version.major != 0 || found->size < offsetof(pjrt_api, functions) + FUNCTIONS_NEEDED * sizeof found->functions[0])
		return "it is of another version of the PJRT C API";
	// The table may be in memory that can only be read.
	uintptr_t page = sysconf(_SC_PAGESIZE), place = (uintptr_t)&found->functions[CLIENT_COMPILE];
	if (mprotect((void *)(place / page * page), page, PROT_READ | PROT_WRITE) != 0)
		return "its table of functions cannot be changed";
	plugin = found;
	compile_anew = found->functions[CLIENT_COMPILE];
	found->functions[CLIENT_COMPILE] = compileKept;
	return NULL;
}

void *pjrt_compile(compile_job *job) {
	void *failed = compile_anew(job);
#ifdef __GLIBC__
	malloc_trim(0); // of what LLVM took, 100 MB are free now, in pieces that the next graph's compilation would not fit into
#endif
	return failed;
}

// ok tells whether there was no error, and frees one.
static int ok(void *error) {
	if (error == NULL)
		return 1;
	destroy_job job = {sizeof job, NULL, error};
	plugin->functions[ERROR_DESTROY](&job);
	return 0;
}

int pjrt_serialize(void *loaded, serialize_job *job) {
	executable_job get = {sizeof get, NULL, loaded};
	if (!ok(plugin->functions[LOADED_EXECUTABLE_GET_EXECUTABLE](&get)))
		return 0;
	*job = (serialize_job){sizeof *job, NULL, get.executable};
	int done = ok(plugin->functions[EXECUTABLE_SERIALIZE](job));
	destroy_job executable = {sizeof executable, NULL, get.executable};
	ok(plugin->functions[EXECUTABLE_DESTROY](&executable));
	return done;
}

void pjrt_release(serialize_job *job) { job->delete(job->serialized); }

void *pjrt_load(void *client, const void *bytes, size_t size) {
	load_job job = {sizeof job, NULL, client, bytes, size};
	return ok(plugin->functions[EXECUTABLE_DESERIALIZE_AND_LOAD](&job)) ? job.loaded : NULL;
}
