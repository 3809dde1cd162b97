// The parameters of a query, as Go's url.ParseQuery reads them: a pair with a semicolon or an invalid escape
// is left out, and the others remain. URLSearchParams alone would read such pairs literally.

const VALID = /^(?:[^%;]|%[0-9a-fA-F]{2})*$/;

export function parseQuery(text: string): URLSearchParams {
  if (text === '') return new URLSearchParams();
  const pairs = text.split('&').filter((pair) => VALID.test(pair));
  // A question mark at the start would be taken for the separator of a URL.
  return new URLSearchParams(`?${pairs.join('&')}`);
}
