//! The meaning of terms: values, models and the three-valued exact evaluator.
