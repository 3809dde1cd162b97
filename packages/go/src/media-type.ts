// Go's mime.ParseMediaType, as far as servers use it: the media type of a Content-Type header in lower case,
// if the whole header is well formed. Parameters are checked, not returned.

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/;
const SPACE = /^[\t\n\v\f\r ]*/;

/** The media type, or undefined if Go returns an error. */
export function parseMediaType(header: string): string | undefined {
  const semicolon = header.indexOf(';');
  const base = semicolon < 0 ? header : header.slice(0, semicolon);
  const type = base.trim().toLowerCase();
  if (!isTypeAndSubtype(type)) return undefined;
  return semicolon < 0 || hasValidParameters(header.slice(semicolon)) ? type : undefined;
}

function isTypeAndSubtype(text: string): boolean {
  const [type, subtype, ...more] = text.split('/');
  return more.length === 0 && isToken(type!) && (subtype === undefined || isToken(subtype));
}

const isToken = (text: string): boolean => TOKEN.exec(text)?.[0].length === text.length;

/** A parameter may be repeated with the same value, and one semicolon may follow the last. */
function hasValidParameters(text: string): boolean {
  const values = new Map<string, string>();
  let rest = skipSpace(text);
  while (rest !== '') {
    const parameter = consumeParameter(rest);
    if (parameter === undefined) return rest.trim() === ';';
    const earlier = values.get(parameter.key);
    if (earlier !== undefined && earlier !== parameter.value) return false;
    values.set(parameter.key, parameter.value);
    rest = skipSpace(parameter.rest);
  }
  return true;
}

interface Parameter {
  readonly key: string;
  readonly value: string;
  readonly rest: string;
}

const skipSpace = (text: string): string => text.slice(SPACE.exec(text)![0].length);

function consumeParameter(text: string): Parameter | undefined {
  if (!text.startsWith(';')) return undefined;
  const afterSemicolon = skipSpace(text.slice(1));
  const key = TOKEN.exec(afterSemicolon)?.[0];
  if (key === undefined) return undefined;
  const afterKey = skipSpace(afterSemicolon.slice(key.length));
  if (!afterKey.startsWith('=')) return undefined;
  const value = consumeValue(skipSpace(afterKey.slice(1)));
  return value && { key: key.toLowerCase(), ...value };
}

function consumeValue(text: string): Pick<Parameter, 'value' | 'rest'> | undefined {
  if (!text.startsWith('"')) {
    const token = TOKEN.exec(text)?.[0];
    return token === undefined ? undefined : { value: token, rest: text.slice(token.length) };
  }
  const quoted = /^"((?:[^"\\\r\n]|\\[^\r\n])*)"/.exec(text);
  return quoted === null ? undefined : { value: quoted[1]!, rest: text.slice(quoted[0].length) };
}
