"""What device code computes that the C library has not."""

from .shared import Shared
from .tree import Expr


class DeviceValues(Shared):
    """A part of Generator."""

    def device_call(self, e: Expr, type: str) -> Expr | None:
        """A function of CUDA's own, or none."""
        r, f = self.random, "f" if type == "float" else ""
        choice = r.choice(
            ["rsqrt", "sinpi", "cospi", "exp10", "rcbrt", "normcdf", "sincos", "erfc", "fast", "fast", "rounded"]
        )
        if choice in ("rsqrt", "rcbrt"):
            return Expr(type, 1.5, f"{choice}{f}(", self.positive(e, type), ")")
        if choice in ("sinpi", "cospi", "normcdf"):
            return Expr(type, 1, f"{choice}{f}(", e, ")")
        if choice == "erfc":
            return Expr(type, 2, f"erfc{f}(", e, ")")
        if choice == "exp10":
            return Expr(type, 10, f"exp10{f}(", self.limited(e, 0.99), ")")
        if choice == "fast" and type == "float":
            name = r.choice(["__sinf", "__cosf", "__expf", "__logf"])
            inner = self.positive(e, type) if name == "__logf" else self.limited(e, 2)
            return Expr(type, 7.5, f"{name}(", inner, ")")
        if choice == "rounded":
            return (
                Expr(
                    type,
                    2 * e.bound,
                    f"{'__fadd_rn' if f else '__dadd_rn'}(",
                    e,
                    f", {'__fmul_rn' if f else '__dmul_rn'}(",
                    e.text(),
                    ", 0.5f))" if f else ", 0.5))",
                )
                if len(e.text()) < 40 and not self.calls(e)
                else None
            )
        return None
