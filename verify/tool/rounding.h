// Part of the unit that `retro rounding` writes, behind the user's file and
// behind retro_rounding_call, which runs one estimate. The engine asks
// retroOwnError what each operation rounds, so that one line, or one variable,
// can round by itself: bounds of errors are linear in what is rounded.
#ifndef RETRO_VERIFY_TOOL_ROUNDING_H
#define RETRO_VERIFY_TOOL_ROUNDING_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What rounds: everything as it is; one line; one variable, which is float;
// everything, which is float.
enum RetroRounds { RetroAll, RetroLine, RetroVariable, RetroFloat };

// An operation of the program; those of one line, or one variable, have a group
// in common.
typedef struct {
  const char *operation, *input, *file, *function, *variable;
  int line, line_group, variable_group;
} RetroSite;

typedef struct {
  const char *file, *variable; // of a variable function:name, or several
  int line;
  double worst;           // relative error of what a line computes
  double greatest, least; // sizes of what a variable holds
} RetroGroup;

enum { RetroMost = 1 << 16 };
static int retro_site_count;
static RetroSite retro_sites[RetroMost];
static RetroGroup retro_lines[RetroMost], retro_variables[RetroMost];
static int retro_line_count, retro_variable_count;
static enum RetroRounds retro_rounds;
static int retro_wanted;

static int retro_same(const char *a, const char *b) { return !strcmp(a, b); }

static int retro_line_of(const char *file, int line) {
  int k = 0;
  while (k < retro_line_count && !(retro_lines[k].line == line &&
                                   retro_same(retro_lines[k].file, file)))
    ++k;
  if (k == retro_line_count) {
    RetroGroup g = {file, "", line, 0, 0, 0};
    retro_lines[retro_line_count++] = g;
  }
  return k;
}

static int retro_variable_of(const char *variable) {
  int k = 0;
  while (k < retro_variable_count &&
         !retro_same(retro_variables[k].variable, variable))
    ++k;
  if (k == retro_variable_count) {
    RetroGroup g = {"", variable, 0, 0, 0, DBL_MAX};
    retro_variables[retro_variable_count++] = g;
  }
  return k;
}

// Is that one of the variables of a group?
static int retro_holds(const RetroGroup *g, const char *function,
                       const char *variable) {
  const size_t n = strlen(function), m = strlen(variable);
  for (const char *at = g->variable; at && *at; at = strchr(at, ',')) {
    at += *at == ',';
    if (!strncmp(at, function, n) && at[n] == ':' &&
        !strncmp(at + n + 1, variable, m) &&
        (at[n + 1 + m] == ',' || !at[n + 1 + m]))
      return 1;
  }
  return 0;
}

// The texts are constants of the program: an operation has the same addresses
// each time.
static RetroSite *retro_site(const char *operation, const char *input,
                             const char *file, const char *function,
                             const char *variable, int line) {
  size_t at = ((size_t)operation * 31 + (size_t)input * 17 +
               (size_t)variable * 7 + (size_t)line) %
              RetroMost;
  for (;; at = (at + 1) % RetroMost) {
    RetroSite *s = &retro_sites[at];
    if (!s->operation) {
      if (++retro_site_count == RetroMost) {
        fputs("more operations than there is room for\n", stderr);
        exit(93);
      }
      RetroSite made = {operation, input, file, function,
                        variable,  line,  0,    -1};
      *s = made;
      s->line_group = retro_line_of(file, line);
      if (retro_same(operation, "store") && *variable)
        s->variable_group = retro_variable_of(variable);
      return s;
    }
    if (s->operation == operation && s->input == input && s->file == file &&
        s->function == function && s->variable == variable && s->line == line)
      return s;
  }
}

// A parameter that nothing is stored to is a variable, too.
static void retro_parameter(const char *function, const char *name,
                            const char *both) {
  for (int k = 0; k < retro_variable_count; ++k)
    if (retro_holds(&retro_variables[k], function, name))
      return;
  retro_variable_of(both);
}

static int retro_fits(double x) { return (double)(float)x == x; }

// One unit in the last place of x as a float.
static double retro_float_unit(double x) {
  if (!(fabs(x) <= FLT_MAX))
    return HUGE_VAL;
  int e;
  frexp(x, &e);
  return fmax(ldexp(1, e - FLT_MANT_DIG), 0x1p-149);
}

// In a program that is all in float: what an operation rounds there.
static double retro_own_in_float(const RetroSite *s, double x, double own) {
  if (retro_same(s->operation, "store")) // what moves rounds nothing more
    return *s->input || retro_fits(x) ? 0 : retro_float_unit(x);
  if (own > 0x1p-40 * fabs(x) && own > 0x1p-1000)
    return own; // it is float already
  if (own == 0)
    return retro_fits(x) ? 0 : retro_float_unit(x);
  return fmax(0x1p29 * own, retro_float_unit(x));
}

#ifdef __cplusplus
extern "C" {
#endif

double retroOwnError(double x, double own, const char *operation,
                     const char *input, const char *file, const char *function,
                     const char *block, const char *variable, int line) {
  (void)block;
  RetroSite *s = retro_site(operation, input, file, function, variable, line);
  switch (retro_rounds) {
  case RetroLine:
    return s->line_group == retro_wanted ? own : 0;
  case RetroVariable:
    if (s->variable_group != retro_wanted)
      return 0;
    // A constant is rounded if float does not have it.
    return !*input && retro_fits(x) ? 0 : retro_float_unit(x);
  case RetroFloat:
    return retro_own_in_float(s, x, own);
  default:
    if (s->variable_group >= 0) {
      RetroGroup *g = &retro_variables[s->variable_group];
      g->greatest = fmax(g->greatest, fabs(x));
      g->least = x == 0 ? g->least : fmin(g->least, fabs(x));
    }
    return own;
  }
}

void enzymeLogError(double x, double error, const char *operation,
                    const char *input, const char *file, const char *function,
                    const char *block, const char *variable, int line) {
  (void)block;
  if (retro_rounds != RetroAll || x == 0)
    return;
  RetroSite *s = retro_site(operation, input, file, function, variable, line);
  RetroGroup *g = &retro_lines[s->line_group];
  g->worst = fmax(g->worst, error / fabs(x));
}

#ifdef __cplusplus
}
#endif

// The error that an input has before anything is computed: that of a parameter
// that is an array of floats.
static double retro_input_error(const char *function, const char *variable,
                                double x) {
  if (retro_rounds == RetroFloat)
    return retro_fits(x) ? 0 : retro_float_unit(x);
  if (retro_rounds != RetroVariable)
    return 0;
  const RetroGroup *g = &retro_variables[retro_wanted];
  return retro_holds(g, function, variable) ? retro_float_unit(x) : 0;
}

//===-- The report --------------------------------------------------------===//

static void retro_put_number(FILE *to, double x) {
  if (isfinite(x))
    fprintf(to, "%.17g", x);
  else
    fprintf(to, "null");
}
static void retro_put_numbers(FILE *to, const char *name, const double *x,
                              int n) {
  fprintf(to, "\"%s\": [", name);
  for (int i = 0; i < n; ++i) {
    fputs(i ? ", " : "", to);
    retro_put_number(to, x[i]);
  }
  fputs("], ", to);
}
static void retro_put_text(FILE *to, const char *name, const char *text) {
  fprintf(to, "\"%s\": \"", name);
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\')
      fputc('\\', to);
    fputc(*text, to);
  }
  fputs("\", ", to);
}

// The output whose error is greatest for its size.
static int retro_worst_output(const double *y, const double *e, int n) {
  int worst = 0;
  double most = -1;
  for (int i = 0; i < n; ++i)
    if (y[i] != 0 && e[i] / fabs(y[i]) > most)
      most = e[i] / fabs(y[worst = i]);
  return worst;
}

typedef void (*RetroCall)(const double *x, double *y, double *e);

static void retro_part(FILE *to, RetroCall call, enum RetroRounds rounds, int k,
                       const double *x, double *y, double *e, int output,
                       const RetroGroup *g) {
  retro_rounds = rounds;
  retro_wanted = k;
  call(x, y, e);
  fputs(k ? ",\n    {" : "\n    {", to);
  retro_put_text(to, "file", g->file);
  retro_put_text(to, "names", g->variable);
  fprintf(to, "\"line\": %d, \"worst\": ", g->line);
  retro_put_number(to, g->worst);
  fputs(", \"greatest\": ", to);
  retro_put_number(to, g->greatest);
  fputs(", \"least\": ", to);
  retro_put_number(to, g->least);
  fputs(", \"part\": ", to);
  retro_put_number(to, e[output]);
  fputc('}', to);
}

// The estimates at one point: all, all in float, and by lines and variables for
// one output; the worst if `wanted` is negative.
static void retro_point(FILE *to, RetroCall call, const double *x, double *y,
                        double *e, int outputs, int wanted) {
  retro_rounds = RetroAll;
  call(x, y, e);
  for (int k = 0; k < retro_line_count; ++k)
    retro_lines[k].worst = 0;
  call(x, y, e);
  const int output = wanted < 0 ? retro_worst_output(y, e, outputs) : wanted;
  fprintf(to, "{\"output\": %d, ", output);
  retro_put_numbers(to, "values", y, outputs);
  retro_put_numbers(to, "bounds", e, outputs);
  retro_rounds = RetroFloat;
  call(x, y, e);
  retro_put_numbers(to, "float_bounds", e, outputs);
  const int lines = retro_line_count, variables = retro_variable_count;
  fputs("\"lines\": [", to);
  for (int k = 0; k < lines; ++k)
    retro_part(to, call, RetroLine, k, x, y, e, output, &retro_lines[k]);
  fputs("], \"variables\": [", to);
  for (int k = 0; k < variables; ++k)
    retro_part(to, call, RetroVariable, k, x, y, e, output,
               &retro_variables[k]);
  fputs("]}", to);
}

#endif
