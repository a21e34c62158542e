/** The parts of a command that a shell completes. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
}

export interface CompletedOption {
  /** `--mode`. */
  readonly flag: string;
  readonly description: string;
  /** True when the flag takes a value. */
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export const SHELLS = ['bash', 'zsh'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script that a shell loads: it completes `commerce`, and defines it when it is not installed. */
export function completionScript(
  shell: Shell,
  commands: readonly CompletedCommand[],
  program: string,
): string {
  const body = shell === 'bash' ? bash(commands) : zsh(commands);
  return `command -v commerce >/dev/null || commerce() { node ${quoted(program)} cli "$@"; }\n${body}`;
}

/**
 * Splits the line itself, because bash treats the colon in a command's name as a word break. The text before the last
 * colon is already typed and must not be offered again; works with bash 3.
 */
function bash(commands: readonly CompletedCommand[]): string {
  const options = commands.map(
    ({ name, options: all }) => `    ${name}) choices=${quoted(all.map(({ flag }) => flag).join(' '))} ;;`,
  );
  const values = commands.flatMap(({ name, options: all }) =>
    all
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ flag, choices }) => `    ${quoted(`${name} ${flag}`)}) choices=${quoted(choices.join(' '))} ;;`,
      ),
  );
  return `_commerce() {
  local line="\${COMP_LINE:0:COMP_POINT}" words=() word='' choices='' last
  read -r -a words <<<"$line"
  last=$((\${#words[@]} - 1))
  if [[ $line != *[[:space:]] ]]; then
    word="\${words[$last]}"
    unset "words[$last]"
    last=$((last - 1))
  fi
  if ((last < 1)); then
    choices=${quoted(commands.map(({ name }) => name).join(' '))}
  else
    case "\${words[1]}" in
${options.join('\n')}
    esac
    case "\${words[1]} \${words[$last]}" in
${values.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
  if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"\${word%"\${word##*:}"}"}")
  fi
}
complete -F _commerce commerce
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name, description }) =>
    quoted(`${name.replaceAll(':', '\\:')}:${description}`),
  );
  const cases = commands.map(
    ({ name, options }) => `    ${name}) _arguments ${options.map(zshOption).join(' ')} ;;`,
  );
  return `_commerce() {
  local -a commands=(
    ${names.join('\n    ')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local name=$words[2]
  shift words
  ((CURRENT--))
  case $name in
${cases.join('\n')}
  esac
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _commerce commerce
`;
}

function zshOption({ flag, description, takesValue, choices }: CompletedOption): string {
  const text = description.replaceAll(/[[\]:\\]/g, (one) => `\\${one}`);
  const value = takesValue ? `:${flag.slice(2)}:${choices.length > 0 ? `(${choices.join(' ')})` : ' '}` : '';
  return quoted(`${flag}[${text}]${value}`);
}

/** QuoteProcessor any text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
