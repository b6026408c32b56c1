# Independent check of the numbers in this folder. Run in this folder: Rscript reproduce.R
# Percent agreement and nominal alpha are written out in base R; psych, vcd, lme4, irrCAC and irr are used where installed.

has <- function(package) suppressWarnings(requireNamespace(package, quietly = TRUE))
failures <- 0
compare <- function(control, what, found, written, tolerance = 1e-8) {
  if (is.na(written)) return(invisible())
  same <- !is.na(found) && abs(found - written) <= tolerance
  if (!same) failures <<- failures + 1
  cat(sprintf("%-20s %-34s R %.10f  Accord %.10f  %s\n", control, what, found, written, if (same) "same" else "DIFFERS"))
}
index <- read.delim("index.tsv", stringsAsFactors = FALSE, quote = "")
number <- function(control, key) {
  hit <- index$value[index$control == control & index$number == key]
  if (length(hit) == 1) suppressWarnings(as.numeric(hit)) else NA
}
percent_agreement <- function(x) {
  mean(apply(x[rowSums(!is.na(x)) >= 2, , drop = FALSE], 1, function(row) {
    row <- row[!is.na(row)]; n <- table(row); m <- length(row); sum(n * (n - 1)) / (m * (m - 1))
  }))
}
nominal_alpha <- function(x) {
  x <- x[rowSums(!is.na(x)) >= 2, , drop = FALSE]
  do <- sum(apply(x, 1, function(row) {
    row <- row[!is.na(row)]; n <- table(row); m <- length(row); (m^2 - sum(n^2)) / (m - 1)
  }))
  n <- table(x); total <- sum(n)
  1 - (do / total) / ((total^2 - sum(n^2)) / (total * (total - 1)))
}
controls <- read.delim("controls.tsv", stringsAsFactors = FALSE, quote = "")
for (i in seq_len(nrow(controls))) {
  entry <- controls[i, ]
  cells <- read.csv(entry$file)
  x <- matrix(NA, max(cells$unit) + 1, max(cells$rater) + 1)
  x[cbind(cells$unit + 1, cells$rater + 1)] <- cells$code + 1
  name <- entry$name
  compare(name, "percent_agreement", percent_agreement(x), number(name, "percent_agreement:nominal"))
  compare(name, "krippendorff_alpha (nominal)", nominal_alpha(x), number(name, "krippendorff_alpha:nominal"))
  both <- x[rowSums(!is.na(x)) == ncol(x), , drop = FALSE]
  if (ncol(x) == 2 && nrow(both) > 1) {
    levels <- seq_len(max(x, na.rm = TRUE)); square <- table(factor(both[, 1], levels), factor(both[, 2], levels))
    if (has("psych")) compare(name, "cohen_kappa (psych)", suppressWarnings(psych::cohen.kappa(square))$kappa, number(name, "cohen_kappa:nominal"))
    if (has("vcd")) compare(name, "cohen_kappa (vcd)", unname(vcd::Kappa(square)$Unweighted[1]), number(name, "cohen_kappa:nominal"))
  }
  if (entry$numbers != "" && !is.na(number(name, "icc"))) {
    values <- as.numeric(strsplit(entry$numbers, " ")[[1]]); y <- matrix(values[x], nrow(x))
    complete <- y[rowSums(!is.na(y)) == ncol(y), , drop = FALSE]
    if (has("psych") && nrow(complete) == nrow(y)) {
      table <- suppressMessages(suppressWarnings(psych::ICC(complete, lmer = FALSE)))$results
      compare(name, "icc A,1 (psych)", table$ICC[2], number(name, "icc"))
    } else if (has("lme4")) {
      long <- data.frame(value = values[cells$code + 1], unit = factor(cells$unit), rater = factor(cells$rater))
      fit <- suppressMessages(lme4::lmer(value ~ 1 + (1 | unit) + (1 | rater), long))
      v <- as.data.frame(lme4::VarCorr(fit)); total <- sum(v$vcov)
      cat(sprintf("%-20s icc A,1 by REML (lme4) R %.6f  Accord (ANOVA components) %.6f  for comparison\n", name,
                  v$vcov[v$grp == "unit"] / total, number(name, "icc")))
    }
  }
  if (has("irrCAC")) compare(name, "gwet_ac1 (irrCAC)", irrCAC::gwet.ac1.raw(x)$est$coeff.val, number(name, "gwet_ac1:nominal"), 5e-5)
  if (has("irr")) compare(name, "krippendorff_alpha (irr)", irr::kripp.alpha(t(x), "nominal")$value, number(name, "krippendorff_alpha:nominal"))
}
cat(sprintf("%d numbers differ\n", failures))
quit(status = if (failures > 0) 1 else 0)
