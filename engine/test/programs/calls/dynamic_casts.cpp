// dynamic_cast: the shadow of what it returns lies in the shadow of the object
// as the result lies in the object, whichever base the cast begins at.
#include "../check.h"

#include <memory>
#include <typeinfo>
#include <vector>

namespace {

struct Shape {
  virtual ~Shape() = default;
  double scale = 2;
};
struct Named {
  virtual ~Named() = default;
  const char *name = "n";
  double weight = 3;
  long tag = 7;
};
struct Circle : Shape, Named {
  double radius = 5;
};
struct Square : Named, Shape {
  int sides = 4;
  double *edge = nullptr;
};

// Down from the second base, and across to the other one: both results lie
// before or behind where the cast begins.
double sideways(Named *n) {
  if (auto *c = dynamic_cast<Circle *>(n))
    return c->radius * c->radius * c->scale * n->weight;
  if (auto *s = dynamic_cast<Shape *>(n))
    return s->scale * s->scale * s->scale + n->weight;
  return n->weight * n->weight;
}

// With a pointer to more numbers behind the cast.
double through(Shape *s) {
  Square &q = dynamic_cast<Square &>(*s);
  return q.edge[0] * q.edge[1] * q.scale * q.weight;
}

// A reference to what the object is not: the exception is the program's.
double refused(Shape *s) {
  try {
    return dynamic_cast<Circle &>(*s).radius;
  } catch (const std::bad_cast &) {
    return 4 * s->scale * s->scale;
  }
}

struct Top {
  virtual ~Top() = default;
  double a = 1.5;
};
struct Left : virtual Top {
  double b = 2.5;
};
struct Right : virtual Top {
  double c = 3.5;
};
struct Bottom : Left, Right {
  double d = 4.5;
};

// Virtual bases: the offset stands in the table of virtual functions.
double diamond(Left *l) {
  auto *r = dynamic_cast<Right *>(l);
  auto *whole = static_cast<double *>(nullptr);
  if (auto *d = dynamic_cast<Bottom *>(l))
    whole = &d->d;
  return r->c * l->b * l->a * r->a + (whole ? *whole * r->c : 0);
}

// Objects that the function makes itself, behind shared pointers.
double shared(const double *x) {
  std::vector<std::shared_ptr<Named>> all;
  for (int i = 0; i < 3; ++i)
    if (i % 2) {
      all.push_back(std::make_shared<Named>());
      all.back()->weight = x[i];
    } else {
      auto c = std::make_shared<Circle>();
      c->radius = x[i] * x[i];
      all.push_back(c);
    }
  double sum = 0;
  for (auto &p : all)
    if (auto c = std::dynamic_pointer_cast<Circle>(p))
      sum += c->radius * c->scale;
    else
      sum += p->weight * p->weight;
  return sum;
}

} // namespace

int main() {
  {
    Circle c, d;
    d.scale = d.weight = d.radius = 0;
    __enzyme_autodiff_void((void *)sideways, (Named *)&c, (Named *)&d);
    NEAR(d.radius, 2 * 5 * 2 * 3, 1e-14);
    NEAR(d.scale, 25 * 3, 1e-14);
    NEAR(d.weight, 25 * 2, 1e-14);
    Circle t;
    t.scale = 1;
    t.weight = t.radius = 0;
    NEAR(__enzyme_fwddiff((void *)sideways, (Named *)&c, (Named *)&t), 75,
         1e-14);
  }
  {
    Square s, d;
    d.scale = d.weight = 0;
    __enzyme_autodiff_void((void *)sideways, (Named *)&s, (Named *)&d);
    NEAR(d.scale, 3 * 4, 1e-14);
    NEAR(d.weight, 1, 1e-14);
  }
  {
    Named n, d;
    d.weight = 0;
    __enzyme_autodiff_void((void *)sideways, &n, &d);
    NEAR(d.weight, 6, 1e-14);
  }
  {
    double e[2] = {3, 4}, de[2] = {0, 0};
    Square s, d;
    s.edge = e;
    d.edge = de;
    d.scale = d.weight = 0;
    __enzyme_autodiff_void((void *)through, (Shape *)&s, (Shape *)&d);
    NEAR(de[0], 4 * 2 * 3, 1e-14);
    NEAR(de[1], 3 * 2 * 3, 1e-14);
    NEAR(d.scale, 12 * 3, 1e-14);
    NEAR(d.weight, 12 * 2, 1e-14);
  }
  {
    Square s, d;
    d.scale = d.weight = 0;
    __enzyme_autodiff_void((void *)refused, (Shape *)&s, (Shape *)&d);
    NEAR(d.scale, 16, 1e-14);
  }
  {
    Bottom x, d;
    d.a = d.b = d.c = d.d = 0;
    __enzyme_autodiff_void((void *)diamond, (Left *)&x, (Left *)&d);
    NEAR(d.a, 3.5 * 2.5 * 2 * 1.5, 1e-14);
    NEAR(d.b, 3.5 * 1.5 * 1.5, 1e-14);
    NEAR(d.c, 2.5 * 1.5 * 1.5 + 4.5, 1e-14);
    NEAR(d.d, 3.5, 1e-14);
  }
  {
    double x[3] = {1.5, 2.5, 3.5}, g[3] = {0, 0, 0};
    __enzyme_autodiff_void((void *)shared, x, g);
    NEAR(g[0], 4 * 1.5, 1e-14);
    NEAR(g[1], 2 * 2.5, 1e-14);
    NEAR(g[2], 4 * 3.5, 1e-14);
  }
  return finish();
}
