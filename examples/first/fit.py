from retro.numpy import foreign

misfit = foreign("examples/first/fit.c", "misfit", shapes={"p": "2"})
t, y = [0.0, 1, 2, 3], [2.0, 1.2, 0.75, 0.45]
print("gradient", misfit.gradient([1.0, 1.0], t, y, wrt="p").round(4))
