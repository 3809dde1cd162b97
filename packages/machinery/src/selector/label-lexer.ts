// Tokenizes a label selector.

export type LabelTokenKind =
  | 'end'
  | 'identifier'
  | '('
  | ')'
  | ','
  | '!'
  | '='
  | '=='
  | '!='
  | '>'
  | '<'
  | 'in'
  | 'notin';

export interface LabelToken {
  readonly kind: LabelTokenKind;
  readonly literal: string;
}

const SIGNS: ReadonlySet<string> = new Set<LabelTokenKind>(['(', ')', ',', '!', '=', '==', '!=', '>', '<']);
const isSpace = (character: string) =>
  character === ' ' || character === '\t' || character === '\r' || character === '\n';
/** Several times as fast as looking at each character, which long selectors have tens of thousands of. */
const WORD = /[^=!(),>< \t\r\n\0]+/y;
const isSign = (character: string) => '=!(),><'.includes(character);

/** The last token is always `end`. */
export function lexLabelSelector(text: string): LabelToken[] {
  const tokens: LabelToken[] = [];
  let position = 0;
  for (;;) {
    while (position < text.length && isSpace(text[position]!)) position++;
    // Upstream reads a zero byte as the end.
    if (position >= text.length || text[position] === '\0') {
      tokens.push({ kind: 'end', literal: '' });
      return tokens;
    }
    const token = isSign(text[position]!) ? signAt(text, position) : wordAt(text, position);
    tokens.push(token);
    position += token.literal.length;
  }
}

/** The longest sign: "==" before "=". */
function signAt(text: string, position: number): LabelToken {
  const two = text.slice(position, position + 2);
  const literal = two.length === 2 && SIGNS.has(two) ? two : text[position]!;
  return { kind: literal as LabelTokenKind, literal };
}

function wordAt(text: string, position: number): LabelToken {
  WORD.lastIndex = position;
  const literal = WORD.exec(text)![0];
  return { kind: literal === 'in' || literal === 'notin' ? literal : 'identifier', literal };
}
