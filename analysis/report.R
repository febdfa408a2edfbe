# A cube's report with base R and rhdf5: Rscript analysis/report.R CUBE OUTPUT
# Prints mean and half-width of the 95 % interval of each strategy; writes summary.csv and three pictures into OUTPUT.
# On Debian: apt-get install --no-install-recommends r-base-core r-bioc-rhdf5 fonts-dejavu-core

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 2) stop("Usage: Rscript analysis/report.R CUBE OUTPUT, as results/quickstart.h5 results/analysis")
cube <- arguments[1]
output <- arguments[2]
if (!file.exists(cube)) stop(cube, ": there is no such file. Make it with `palimpsest run`.")
if (is.null(tryCatch(rhdf5::h5readAttributes(cube, "/")$palimpsest_schema, error = function(e) NULL))) {
  stop(cube, ": not a cube of Palimpsest.")
}
dir.create(output, recursive = TRUE, showWarnings = FALSE)

# One row a run. R shows dimensions in reverse and counts from 1: accuracy is [task, after_task, run].
read <- function(name) rhdf5::h5read(cube, name, bit64conversion = "double")
all_names <- rhdf5::h5ls(cube, recursive = FALSE)$name
has <- function(name) name %in% all_names
completed <- as.vector(read("status")) == 0
column <- function(name) as.vector(read(name))[completed]
runs <- data.frame(scenario = column("scenario"), strategy = column("strategy"), memory = column("bytes_memory"))
for (label in intersect(c("policy", "safeguard"), all_names)) {
  if (length(unique(column(label))) > 1) runs$strategy <- paste(runs$strategy, column(label))
}
# After a sweep a strategy has several settings, which are not to be mixed: the number of the settings stands behind it.
swept <- ave(column("config"), runs$scenario, runs$strategy, FUN = function(x) length(unique(x))) > 1
runs$strategy[swept] <- paste0(runs$strategy, " #", column("config"))[swept]
scenarios <- unique(runs$scenario)
strategies <- unique(runs$strategy)

# Noise-free where p* is known of all runs, as in `palimpsest report`.
noise_free <- function(metric) {
  name <- paste0("expected_", metric)
  if (has(name) && !anyNA(column(name))) name else metric
}
# Student's t interval of a mean; NaN are left out, one value has no width.
interval <- function(x) {
  x <- x[!is.nan(x)]
  n <- length(x)
  half <- if (n > 1) qt(0.975, n - 1) * sd(x) / sqrt(n) else NaN
  c(mean = mean(x), half_width = half, n = n)
}
cells <- unique(runs[c("scenario", "strategy")])
mine <- function(i) runs$scenario == cells$scenario[i] & runs$strategy == cells$strategy[i]
summarise <- function(x) t(sapply(seq_len(nrow(cells)), function(i) interval(x[mine(i)])))

metrics <- sapply(c("average_accuracy", "forgetting", "learning_accuracy", "backward_transfer"), noise_free)
metrics <- c(metrics, intersect(c("prequential_mean", "life_gain_mean", "life_share_worse"), all_names))
for (metric in metrics) runs[[metric]] <- column(metric)
metrics <- Filter(function(metric) !all(is.nan(runs[[metric]])), metrics)
tables <- do.call(rbind, lapply(metrics, function(metric) data.frame(cells, metric, summarise(runs[[metric]]))))
print(format(tables, digits = 4), row.names = FALSE)
for (name in c("mean", "half_width")) tables[[name]] <- sprintf("%.17g", tables[[name]])
write.csv(tables, file.path(output, "summary.csv"), row.names = FALSE, quote = 1:3)

colours <- rep_len(c("#6b7280", "#2f7ed8", "#c2571a", "#16916b", "#a8569c", "#8a7a12", "#d0456a", "#5b6ee1"), length(strategies))
marks <- rep_len(c(16, 15, 17, 18, 6, 3, 4, 2), length(strategies))
picture <- function(name, draw) {
  png(file.path(output, name), width = 440 * length(scenarios) + 160, height = 430, res = 96, type = "cairo")
  layout(matrix(seq_len(length(scenarios) + 1), 1), widths = c(rep(440, length(scenarios)), 160))
  par(mar = c(4.2, 4.4, 2.2, 0.6), las = 1, bty = "l", mgp = c(2.9, 0.7, 0), cex = 0.85)
  for (scenario in scenarios) draw(scenario)
  par(mar = c(0, 0, 2.2, 0))
  plot.new()
  legend("topleft", strategies, col = colours, pch = marks, lty = 1, bty = "n")
  invisible(dev.off())
}
words <- function(name) gsub("_", " ", sub("expected_", "noise-free ", name))

# What is left of the first task after each task: mean and its interval over seeds.
matrix_name <- if (has("expected_accuracy")) "expected_accuracy" else "accuracy"
first <- t(matrix(read(matrix_name)[1, , ], ncol = length(completed)))[completed, , drop = FALSE]
after <- seq_len(ncol(first)) - 1
if (any(!is.nan(first))) picture("accuracy-after-tasks.png", function(scenario) {
  plot(range(after), range(first, na.rm = TRUE), type = "n", main = scenario, xlab = "after task", ylab = paste(words(matrix_name), "on the first task"))
  for (k in seq_along(strategies)) {
    chosen <- first[runs$scenario == scenario & runs$strategy == strategies[k], , drop = FALSE]
    band <- apply(chosen, 2, interval)
    half <- ifelse(is.nan(band["half_width", ]), 0, band["half_width", ])
    polygon(c(after, rev(after)), c(band["mean", ] - half, rev(band["mean", ] + half)), col = adjustcolor(colours[k], 0.15), border = NA)
    lines(after, band["mean", ], type = "o", col = colours[k], pch = marks[k])
  }
})

# Every seed as a dot, mean and interval over it.
accuracy <- metrics[[1]]
table <- data.frame(cells, summarise(runs[[accuracy]]), memory = summarise(runs$memory)[, "mean"])
table$half_width[is.nan(table$half_width)] <- 0
picture("intervals.png", function(scenario) {
  par(mar = c(4.2, 1.5 + 0.6 * max(nchar(strategies)), 2.2, 0.6))
  reach <- range(runs[[accuracy]], table$mean - table$half_width, table$mean + table$half_width, na.rm = TRUE)
  plot(reach, c(length(strategies) + 0.5, 0.5), type = "n", yaxt = "n", ylim = c(length(strategies) + 0.5, 0.5), main = scenario, xlab = words(accuracy), ylab = "")
  axis(2, seq_along(strategies), strategies)
  for (k in seq_along(strategies)) {
    seeds <- runs[[accuracy]][runs$scenario == scenario & runs$strategy == strategies[k]]
    row <- table[table$scenario == scenario & table$strategy == strategies[k], ]
    if (nrow(row) == 0) next
    points(seeds, k + seq(-0.2, 0.2, length.out = length(seeds)), pch = 16, cex = 0.6, col = adjustcolor(colours[k], 0.4))
    segments(row$mean - row$half_width, k, row$mean + row$half_width, k, lwd = 2, col = colours[k])
    points(row$mean, k, pch = marks[k], col = colours[k], cex = 1.2)
  }
})

# Accuracy against the rows that are stored. No log axis has 0: nothing stands a decade below the least.
least <- floor(log10(min(table$memory[table$memory > 0], 1e6)))
ticks <- (least - 1):ceiling(log10(max(table$memory, 10^(least + 1))))
picture("cost.png", function(scenario) {
  rows <- table[table$scenario == scenario, ]
  x <- ifelse(rows$memory > 0, log10(rows$memory), least - 1)
  reach <- range(table$mean - table$half_width, table$mean + table$half_width, na.rm = TRUE)
  plot(range(ticks), reach, type = "n", xaxt = "n", main = scenario, xlab = "bytes of stored rows", ylab = words(accuracy))
  axis(1, ticks, c("none", paste0("1e", ticks[-1])))
  k <- match(rows$strategy, strategies)
  segments(x, rows$mean - rows$half_width, x, rows$mean + rows$half_width, col = colours[k])
  points(x, rows$mean, pch = marks[k], col = colours[k], cex = 1.3)
})
