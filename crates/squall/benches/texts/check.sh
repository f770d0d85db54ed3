# Tests of texts, each a function of programs, words and at last the file: exit code 0 where it is interesting.

run() {
    timeout 10 "$@" 2>&1
}

# The program's first error holds these words.
error() {
    run "$1" "$3" | grep -m 1 '(error' | grep -qF "$2"
}

# The program ends by a signal.
crash() {
    run "$1" "$2" > /dev/null
    [ $? -gt 128 ]
}

# The first program answers unsat to something, the second one sat to everything, and neither has an error.
wrong() {
    said=$(run "$1" "$3")
    case "$said" in *error*) return 1 ;; *unsat*) ;; *) return 1 ;; esac
    said=$(run "$2" "$3")
    case "$said" in *error* | *unsat* | *unknown* | *timeout*) return 1 ;; *sat*) return 0 ;; *) return 1 ;; esac
}

# The program finds a model of its own wrong.
model() {
    run "$1" model_validate=true "$2" | grep -m 1 '(error' | grep -qF 'an invalid model was generated'
}

# The program has nothing to object, and the text matches. Nothing is solved.
accepts() {
    ! sed -E 's/\((check-sat|get-objectives)\)//g' "$3" | run "$1" -in | grep -q 'error\|unsupported' && tr -s '\n\t ' ' ' < "$3" | grep -qE "$2"
}
