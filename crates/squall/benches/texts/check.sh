# Tests of texts. Each is a function of programs, words and the file as its last argument. The exit code is 0 if the file is interesting.

run() {
    timeout 10 "$@" 2>&1
}

# The program's first error contains these words.
error() {
    run "$1" "$3" | grep -m 1 '(error' | grep -qF "$2"
}

# A signal ends the program.
crash() {
    run "$1" "$2" > /dev/null
    [ $? -gt 128 ]
}

# The first program answers unsat to some check, the second one sat to every check, and neither prints an error.
wrong() {
    said=$(run "$1" "$3")
    case "$said" in *error*) return 1 ;; *unsat*) ;; *) return 1 ;; esac
    said=$(run "$2" "$3")
    case "$said" in *error* | *unsat* | *unknown* | *timeout*) return 1 ;; *sat*) return 0 ;; *) return 1 ;; esac
}

# The program calls its own model wrong.
model() {
    run "$1" model_validate=true "$2" | grep -m 1 '(error' | grep -qF 'an invalid model was generated'
}

# The program accepts the text without solving, and the text matches.
accepts() {
    ! sed -E 's/\((check-sat|get-objectives)\)//g' "$3" | run "$1" -in | grep -q 'error\|unsupported' && tr -s '\n\t ' ' ' < "$3" | grep -qE "$2"
}
