module example.com/lockstep

go 1.19
