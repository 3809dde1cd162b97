// The tokens of CEL.

export type TokenKind =
  | 'EOF'
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'NUM_FLOAT'
  | 'STRING'
  | 'BYTES'
  | 'in'
  | 'true'
  | 'false'
  | 'null'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>='
  | '>'
  | '&&'
  | '||'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** In UTF-16 units from the start of the source. */
  readonly offset: number;
}
