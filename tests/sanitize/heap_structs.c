/* A linked list of structs on the heap, built, used and freed inside the
 * differentiated function, with a reallocated array beside it. */
#include "check.h"

struct Node {
  double value;
  int weight;
  struct Node *next;
};

/* sum of weight_i * (x_i)^2, over a list and then over a growing copy. */
static double list_sum(const double *x, int n) {
  struct Node *head = NULL;
  for (int i = 0; i < n; i++) {
    struct Node *node = malloc(sizeof *node);
    node->value = x[i] * x[i];
    node->weight = i + 1;
    node->next = head;
    head = node;
  }
  double *copy = malloc(sizeof *copy);
  int count = 0;
  while (head) {
    struct Node *next = head->next;
    copy = realloc(copy, (count + 1) * sizeof *copy);
    copy[count++] = head->weight * head->value;
    free(head);
    head = next;
  }
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += copy[i];
  free(copy);
  return sum;
}

int main(void) {
  enum { n = 9 };
  double x[n], dx[n] = {0};
  for (int i = 0; i < n; i++)
    x[i] = 0.5 * i - 1.25;
  __enzyme_autodiff_void((void *)list_sum, enzyme_dup, x, dx, enzyme_const, n);
  for (int i = 0; i < n; i++)
    check("list", dx[i], 2 * (i + 1) * x[i]);
  return 0;
}
