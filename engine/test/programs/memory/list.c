// A linked list and a tree, built from the inputs, changed, walked and freed
// inside the function.
#include "../check.h"

typedef struct node {
  double value;
  int id;
  struct node *next;
} node;

static double list(const double *x, int n) {
  node *head = NULL;
  for (int i = 0; i < n; ++i) {
    node *made = (node *)malloc(sizeof(node));
    made->value = x[i] * x[i];
    made->id = i;
    made->next = head;
    head = made;
  }
  for (node *at = head; at && at->next; at = at->next)
    at->next->value += 0.5 * at->value * (at->id % 2 ? 1 : -1);
  double sum = 0;
  while (head) {
    node *next = head->next;
    sum += sin(head->value) * (head->id + 1);
    free(head);
    head = next;
  }
  return sum;
}

typedef struct leaf {
  double key, weight;
  struct leaf *child[2];
} leaf;

static leaf *insert(leaf *root, double key, double weight) {
  if (!root) {
    root = (leaf *)calloc(1, sizeof(leaf));
    root->key = key;
    root->weight = weight;
  } else {
    int side = key > root->key;
    root->child[side] = insert(root->child[side], key, weight * root->key);
  }
  return root;
}

static double take_down(leaf *root) {
  if (!root)
    return 0;
  double sum = take_down(root->child[0]) - 0.5 * take_down(root->child[1]);
  sum += root->key * root->weight;
  free(root);
  return sum;
}

/// A search tree: the shape follows from the inputs' order.
static double tree(const double *x, int n) {
  leaf *root = NULL;
  for (int i = 0; i < n; ++i)
    root = insert(root, x[i], 1 + x[i] * x[0]);
  return take_down(root);
}

int main(void) {
  const double x[] = {0.4, 0.9, 1.2, -0.7, 1.1, 0.3, -0.2, 0.8};
  const double v[] = {1, -0.5, 0.25, 2, -1, 0.4, 0.1, -0.3};
  for (int n = 1; n <= 8; ++n) {
    double g[2][8] = {{0}};
    BOTH_MODES(list, x, g[0], v, n);
    BOTH_MODES(tree, x, g[1], v, n);
  }
  return finish();
}
