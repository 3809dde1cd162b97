// Which extra values nobody may impersonate in a constrained mode: keys must be domain-prefixed paths in
// lower case, and values must not be empty.
import { nameIsDnsSubdomain, quoteGo } from '@instar/go';
import { aggregateMessage, type FieldError, fieldErrors } from '@instar/machinery';

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const IS_PATH = new RegExp(`^${PATH}$`);
const FIELD = 'extra.key';

export function extraFault(extra: ReadonlyMap<string, readonly string[]>): string | undefined {
  for (const [key, values] of extra) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const faults = keyFaults(key);
    if (faults.length > 0)
      return `impersonating an invalid key in extra is not allowed: ${aggregateMessage(faults)}`;
    if (key !== key.toLowerCase())
      return `impersonating a non-lowercase key in extra is not allowed: ${quoteGo(key)}`;
    if (values.length === 0) return 'impersonating empty values in extra is not allowed';
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

function keyFaults(key: string): FieldError[] {
  const slash = key.indexOf('/');
  if (slash <= 0 || slash === key.length - 1)
    return [fieldErrors.invalid(FIELD, key, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const host = key.slice(0, slash);
  const path = key.slice(slash + 1);
  const faults = nameIsDnsSubdomain(host, false).map((why) => fieldErrors.invalid(FIELD, host, why));
  if (!IS_PATH.test(path))
    faults.push(fieldErrors.invalid(FIELD, path, `Invalid path (regex used for validation is '${PATH}')`));
  return faults;
}
