# Completes the words of `viewpoint` in bash 3.2 and newer.
# Printed by `viewpoint completion bash`.

_viewpoint() {
    local line candidate current="${COMP_WORDS[COMP_CWORD]}"
    [ "$current" = "=" ] && current=""
    COMPREPLY=()
    compopt +o default 2>/dev/null # bash 4: no names of files if there is no candidate
    while IFS= read -r line; do
        if [ "$line" = ":files" ]; then
            compopt -o default 2>/dev/null
            return
        fi
        candidate="${line%%$'\t'*}"
        if [ "${candidate:0:${#current}}" = "$current" ]; then
            printf -v candidate %q "$candidate"
            COMPREPLY+=("$candidate")
        fi
    done < <(viewpoint completion candidates -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

complete -o default -F _viewpoint viewpoint
