// What tokens say, as far as this server reads it. Signed by this server or not: nothing is taken for
// granted but that it is JSON.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

/** Of tokens for the API server itself, which travel in a header, this is more than enough. */
const MAX_TOKEN_LENGTH = 64 * 1024;

/** The payload of something like a JWT, which is not verified; undefined: it is nothing like it. */
export function unverifiedPayload(token: string): JsonObject | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const parts = token.split('.');
  if (parts.length !== 3 || !/^[\w-]+$/.test(parts[1]!)) return undefined;
  return parsePayload(Buffer.from(parts[1]!, 'base64url'));
}

export function parsePayload(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = JSON.parse(Buffer.from(bytes).toString('utf8')) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const own = (claims: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(claims, name) ? claims[name] : undefined;

/** '' if it is not there, or no text. */
export function textClaim(claims: JsonObject, name: string): string {
  const value = own(claims, name);
  return typeof value === 'string' ? value : '';
}

/** Seconds since 1970. */
export function timeClaim(claims: JsonObject, name: string): number | undefined {
  const value = own(claims, name);
  return typeof value === 'number' ? value : undefined;
}

/** A single text stands for a list of it. */
export function audiencesOf(claims: JsonObject): string[] {
  const value = own(claims, 'aud');
  const list = Array.isArray(value) ? value : [value];
  return list.filter((audience) => typeof audience === 'string');
}

export function objectClaim(claims: JsonObject, name: string): JsonObject | undefined {
  const value = own(claims, name);
  return value !== undefined && isJsonObject(value) ? value : undefined;
}
