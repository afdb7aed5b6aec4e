// What is needed here of the PJRT C API (openxla/xla, xla/pjrt/c/pjrt_c_api.h). By its rules structures only grow at their ends and functions keep their
// places, within one major version. The package's test compares this with the header that GoMLX is built with.
#ifndef SEQ2ATTN_PJRT_H
#define SEQ2ATTN_PJRT_H

#include <stddef.h>

// The plugin's table of functions: all take a pointer to a structure and most return an error, or NULL.
typedef struct {
	size_t size;
	void *extension;
	struct {
		size_t size;
		void *extension;
		int major, minor;
	} version;
	void *(*functions[])(void *);
} pjrt_api;

// Places in the table.
enum {
	ERROR_DESTROY = 0,
	CLIENT_COMPILE = 20,
	EXECUTABLE_DESTROY = 40,
	EXECUTABLE_SERIALIZE = 49,
	LOADED_EXECUTABLE_GET_EXECUTABLE = 51,
	EXECUTABLE_DESERIALIZE_AND_LOAD = 56,
	FUNCTIONS_NEEDED, // from the first to the last of these
};

typedef struct {
	size_t size;
	void *extension;
	char *code;
	size_t code_size;
	const char *format;
	size_t format_size;
} pjrt_program;

typedef struct {
	size_t size;
	void *extension, *client;
	const pjrt_program *program;
	const char *options;
	size_t options_size;
	void *loaded; // out
} compile_job;

typedef struct {
	size_t size;
	void *extension, *loaded;
	void *executable; // out
} executable_job;

typedef struct {
	size_t size;
	void *extension, *executable;
	const char *bytes; // out, with all that follows
	size_t bytes_size;
	void *serialized;
	void (*delete)(void *serialized);
} serialize_job;

typedef struct {
	size_t size;
	void *extension, *client;
	const char *bytes;
	size_t bytes_size;
	void *loaded; // out
	const char *options;
	size_t options_size;
} load_job;

// Takes an error or an executable.
typedef struct {
	size_t size;
	void *extension, *what;
} destroy_job;

// pjrt_intercept makes the plugin at this path, which must have been loaded, compile through compileKept. It returns what is wrong, or NULL.
const char *pjrt_intercept(const char *path);

// pjrt_compile is the plugin's own function; NULL or an error.
void *pjrt_compile(compile_job *job);

// pjrt_serialize makes *job's bytes those of an executable that was compiled; pjrt_release frees them. False where the plugin can't.
int pjrt_serialize(void *loaded, serialize_job *job);
void pjrt_release(serialize_job *job);

// pjrt_load makes an executable of such bytes; NULL where the plugin does not want them.
void *pjrt_load(void *client, const void *bytes, size_t size);

// compileKept is the Go function that compiles from now on.
void *compileKept(void *job);

#endif
