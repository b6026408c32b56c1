# Evaluates one call of the functions below for each line of standard input and prints its result as JSON.
# Only base R, psych, vcd and lme4.

suppressWarnings(suppressMessages({
  library(psych)
  library(vcd)
  library(lme4)
}))

number <- function(x) ifelse(is.finite(x), format(x, digits = 17, scientific = TRUE, trim = TRUE), "null")

json <- function(x) {
  if (is.list(x)) {
    return(paste0("{", paste0("\"", names(x), "\": ", vapply(x, json, ""), collapse = ", "), "}"))
  }
  if (length(x) == 1) number(x) else paste0("[", paste0(number(x), collapse = ", "), "]")
}

table_of <- function(rows) do.call(rbind, rows)

# The six intraclass correlations with limits, from the classical table or from lme4's components.
icc <- function(rows, lmer = FALSE) {
  found <- suppressWarnings(suppressMessages(ICC(table_of(rows), lmer = lmer)$results))
  each <- lapply(seq_len(nrow(found)), function(i) {
    list(value = found$ICC[i], low = found[["lower bound"]][i], high = found[["upper bound"]][i])
  })
  setNames(each, found$type)
}

# REML variance components of incomplete designs.
components <- function(rows, crossed = TRUE) {
  x <- table_of(rows)
  long <- data.frame(unit = factor(c(row(x))), rater = factor(c(col(x))), x = c(x))
  long <- long[!is.na(long$x), ]
  formula <- if (crossed) x ~ 1 + (1 | unit) + (1 | rater) else x ~ 1 + (1 | unit)
  tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10))
  found <- as.data.frame(VarCorr(suppressWarnings(suppressMessages(lmer(formula, long, control = tight)))))
  value <- function(group) found$vcov[match(group, found$grp)]
  list(units = value("unit"), raters = if (crossed) value("rater") else 0, error = value("Residual"))
}

# Kappas of a contingency table: psych (values), vcd (values and asymptotic standard errors, divisor n^2).
kappas <- function(rows) {
  x <- as.table(table_of(rows))
  distance <- abs(outer(seq_len(nrow(x)), seq_len(nrow(x)), "-"))
  linear <- Kappa(x, weights = "Equal-Spacing")
  quadratic <- Kappa(x, weights = "Fleiss-Cohen")
  list(
    psych = list(
      plain = suppressWarnings(suppressMessages(cohen.kappa(x)$kappa)),
      quadratic = suppressWarnings(suppressMessages(cohen.kappa(x, w = distance^2)$weighted.kappa))
    ),
    plain = list(value = linear$Unweighted[["value"]], se = linear$Unweighted[["ASE"]]),
    linear = list(value = linear$Weighted[["value"]], se = linear$Weighted[["ASE"]]),
    quadratic = list(value = quadratic$Weighted[["value"]], se = quadratic$Weighted[["ASE"]])
  )
}

# Mean Spearman and Kendall correlation of the columns, and Kendall's W by the Friedman statistic.
ranks <- function(rows) {
  x <- table_of(rows)
  above <- upper.tri(diag(ncol(x)))
  friedman <- friedman.test(t(x))$statistic
  list(
    spearman = mean(cor(x, method = "spearman")[above]),
    tau = mean(cor(x, method = "kendall")[above]),
    w = as.numeric(friedman) / (ncol(x) * (nrow(x) - 1))
  )
}

# Exact limits of mean + z sd, in sample sd above the sample mean.
tolerance <- function(n, z, level) {
  suppressWarnings(qt(c((1 - level) / 2, (1 + level) / 2), n - 1, z * sqrt(n)) / sqrt(n))
}

lines <- file("stdin", open = "r")
while (length(line <- readLines(lines, n = 1)) > 0) {
  answer <- tryCatch(
    paste0("{\"result\": ", json(eval(parse(text = line))), "}"),
    error = function(e) paste0("{\"error\": ", encodeString(conditionMessage(e), quote = "\""), "}")
  )
  cat(answer, "\n", sep = "")
  flush(stdout())
}
