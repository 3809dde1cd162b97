// TypeScript source as a list of words, strings and punctuation, enough to find import statements in it. What
// looks like an import inside of a comment, a template or a regular expression is not one.

const SPACE_OR_COMMENT = /(?:\s+|\/\/[^\n]*|\/\*.*?\*\/)+/sy;
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/sy;
const WORD = /[\p{ID_Start}$_#@\d][\p{ID_Continue}$]*/uy;
const REGULAR_EXPRESSION = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** The text of a template up to its end or the next substitution. */
const TEMPLATE_TEXT = /(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)/sy;

/** After these a slash divides; after every other token it opens a regular expression. */
const OPERAND_END = /^(?:[\p{ID_Start}$_#@\d'"`].*|\]|\))$/su;
const OPERATOR_WORD = /^(?:await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield)$/;

export function tokensOf(source: string): string[] {
  const tokens: string[] = [];
  /** The depth of braces for each template whose substitution is being read. */
  const templates: number[] = [];
  let depth = 0;
  let at = 0;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };

  const readTemplate = (): void => {
    const opensSubstitution = match(TEMPLATE_TEXT)?.endsWith('{') ?? false;
    if (opensSubstitution) templates.push(depth);
    tokens.push(opensSubstitution ? '(' : '``');
  };

  while (at < source.length) {
    if (match(SPACE_OR_COMMENT) !== undefined) continue;
    const token =
      match(STRING) ??
      match(WORD) ??
      (opensRegularExpression(tokens.at(-1), source[at + 1]) ? match(REGULAR_EXPRESSION) : undefined) ??
      source[at++]!;
    if (token === '`') readTemplate();
    else if (token === '}' && templates.at(-1) === depth) {
      templates.pop();
      readTemplate();
    } else {
      if (token === '{') depth++;
      if (token === '}') depth--;
      tokens.push(token);
    }
  }
  return tokens;
}

/** The formatter writes a space after a slash that divides, which decides for one after a parenthesis. */
function opensRegularExpression(previous: string | undefined, next: string | undefined): boolean {
  if (previous === undefined || OPERATOR_WORD.test(previous)) return true;
  if (previous === ')') return next !== ' ';
  return !OPERAND_END.test(previous);
}
