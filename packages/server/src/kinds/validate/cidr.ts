// Networks in fields. New values must be strict; what an object has already may stay as it is.
import { isIpv4Mapped, isSloppyCidr, maskedCidr, parseCidr, printCidr, quoteGo } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

const NO_CIDR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** A field that also takes values that are not in canonical form. */
export function validateCidr(text: string, path: FieldPath, existing: readonly string[] = []): FieldError[] {
  if (existing.includes(text)) return [];
  const refuse = (reason: string): FieldError[] => [fieldErrors.invalid(path, text, reason)];
  if (!isSloppyCidr(text)) return refuse(NO_CIDR);
  const parsed = parseCidr(text);
  if (typeof parsed === 'string') return refuse('must not have leading 0s in IP or prefix length');
  if (isIpv4Mapped(parsed.address)) return refuse('must not have an IPv4-mapped IPv6 address');
  if (printCidr(parsed) !== printCidr(maskedCidr(parsed)))
    return refuse('must not have bits set beyond the prefix length');
  return [];
}

/** A field of newer kinds, which takes only the canonical form. */
export function validateCanonicalCidr(text: string, path: FieldPath): FieldError[] {
  const errors = validateCidr(text, path);
  const parsed = parseCidr(text);
  if (errors.length > 0 || typeof parsed === 'string') return errors;
  const canonical = printCidr(parsed);
  return canonical === text
    ? []
    : [fieldErrors.invalid(path, text, `must be in canonical form (${quoteGo(canonical)})`)];
}
