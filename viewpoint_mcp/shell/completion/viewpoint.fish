# Completes the words of `viewpoint` in fish.
# Printed by `viewpoint completion fish`.

function __viewpoint_candidates
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l flag (string match -r -- '^--[^=]*=' "$current"; or echo)
    set -l lines (viewpoint completion candidates -- $words "$current" 2>/dev/null)
    if test "$lines[1]" = :files
        set lines (__fish_complete_path (string replace -- "$flag" '' "$current"))
    end
    test (count $lines) -gt 0; and printf '%s\n' $flag$lines
end

complete -c viewpoint -f -a '(__viewpoint_candidates)'
