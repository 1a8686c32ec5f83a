#compdef viewpoint
# Completes the words of `viewpoint` in zsh.
# Printed by `viewpoint completion zsh`.

_viewpoint() {
    local line name
    local -a before lines candidates
    before=($words[2,CURRENT-1])
    lines=("${(@f)$(viewpoint completion candidates -- "${(@Q)before}" "$PREFIX" 2>/dev/null)}")
    [[ $PREFIX == --*=* ]] && compset -P '--*='
    if [[ $lines[1] == :files ]]; then
        _files
        return
    fi
    for line in $lines; do
        name=${line%%$'\t'*}
        name=${name//:/\\:}
        [[ $line == *$'\t'* ]] && name+=":${line#*$'\t'}"
        candidates+=("$name")
    done
    _describe viewpoint candidates
}

if [[ ${funcstack[1]} == _viewpoint ]]; then
    _viewpoint "$@"
else
    compdef _viewpoint viewpoint
fi
