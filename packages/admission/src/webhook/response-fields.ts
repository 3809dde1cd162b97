// Decodes the fields of an AdmissionResponse as Go decodes them into its struct: unknown ones are dropped,
// wrong types are reported with Go's type names.

import { decodeBase64, decodeUtf8 } from '@instar/go';
import { goJsonType, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

export interface DecodedResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status: JsonObject | undefined;
  readonly patch: string;
  readonly patchType: string | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: ReadonlyMap<string, string>;
}

export function decodeResponse(value: JsonValue): DecodedResponse | { readonly fault: string } {
  const decoder = new Decoder();
  if (!isJsonObject(value))
    return { fault: mismatch(value, 'AdmissionReview.response', 'v1.AdmissionResponse') };
  const response = {
    uid: decoder.text(value, 'uid', 'types.UID') ?? '',
    allowed: decoder.bool(value, 'allowed'),
    status: decoder.status(value['status'] ?? null),
    patch: decoder.bytes(value['patch'] ?? null),
    patchType: decoder.text(value, 'patchType', 'v1.PatchType'),
    warnings: decoder.texts(value['warnings'] ?? null),
    auditAnnotations: decoder.textMap(value['auditAnnotations'] ?? null),
  };
  return decoder.fault === undefined ? response : { fault: decoder.fault };
}

const mismatch = (value: JsonValue, place: string, type: string): string =>
  `json: cannot unmarshal ${goJsonType(value)} into Go struct field ${place} of type ${type}`;

const RESPONSE = 'AdmissionResponse.response';

/** Keeps the first fault. */
class Decoder {
  fault: string | undefined;

  text(object: JsonObject, field: string, type = 'string', place = RESPONSE): string | undefined {
    const value = object[field] ?? null;
    if (value === null || typeof value === 'string') return value ?? undefined;
    this.#mismatch(value, `${place}.${field}`, type);
    return undefined;
  }

  bool(object: JsonObject, field: string): boolean {
    const value = object[field] ?? null;
    if (typeof value === 'boolean') return value;
    if (value !== null) this.#mismatch(value, `${RESPONSE}.${field}`, 'bool');
    return false;
  }

  bytes(value: JsonValue): string {
    if (value === null) return '';
    if (typeof value !== 'string') {
      this.#mismatch(value, `${RESPONSE}.patch`, '[]uint8');
      return '';
    }
    const decoded = decodeBase64(value);
    if (typeof decoded !== 'string') return decodeUtf8(decoded);
    this.fault ??= decoded;
    return '';
  }

  texts(value: JsonValue): string[] {
    if (value === null) return [];
    if (!Array.isArray(value)) {
      this.#mismatch(value, `${RESPONSE}.warnings`, '[]string');
      return [];
    }
    return value.map((item) => this.#item(item, 'warnings'));
  }

  textMap(value: JsonValue): Map<string, string> {
    if (value === null) return new Map();
    if (!isJsonObject(value)) {
      this.#mismatch(value, `${RESPONSE}.auditAnnotations`, 'map[string]string');
      return new Map();
    }
    return new Map(Object.entries(value).map(([key, item]) => [key, this.#item(item, 'auditAnnotations')]));
  }

  /** The parts of a Status that reach the client. */
  status(value: JsonValue): JsonObject | undefined {
    if (value === null) return undefined;
    if (!isJsonObject(value)) {
      this.#mismatch(value, `${RESPONSE}.status`, 'v1.Status');
      return undefined;
    }
    const place = 'Status.response.status';
    const status: JsonObject = {};
    for (const field of ['status', 'message', 'reason']) {
      const text = this.text(value, field, field === 'reason' ? 'v1.StatusReason' : 'string', place);
      if (text !== undefined && text !== '') status[field] = text;
    }
    const code = value['code'] ?? null;
    if (typeof code === 'number' && Number.isInteger(code)) status['code'] = code;
    else if (code !== null) this.#mismatch(code, `${place}.code`, 'int32');
    const details = value['details'] ?? null;
    if (isJsonObject(details)) status['details'] = this.#details(details);
    else if (details !== null) this.#mismatch(details, `${place}.details`, 'v1.StatusDetails');
    return status;
  }

  #details(given: JsonObject): JsonObject {
    const place = 'StatusDetails.response.status.details';
    const details = this.#texts(given, ['name', 'group', 'kind', 'uid'], place);
    const { causes = null, retryAfterSeconds: seconds = null } = given;
    if (Array.isArray(causes)) {
      details['causes'] = causes.map((cause) =>
        this.#texts(isJsonObject(cause) ? cause : {}, ['reason', 'message', 'field'], `${place}.causes`),
      );
    } else if (causes !== null) this.#mismatch(causes, `${place}.causes`, '[]v1.StatusCause');
    if (typeof seconds === 'number' && Number.isInteger(seconds)) details['retryAfterSeconds'] = seconds;
    else if (seconds !== null) this.#mismatch(seconds, `${place}.retryAfterSeconds`, 'int32');
    return details;
  }

  #texts(object: JsonObject, fields: readonly string[], place: string): JsonObject {
    const found: JsonObject = {};
    for (const field of fields) {
      const text = this.text(object, field, 'string', place);
      if (text !== undefined && text !== '') found[field] = text;
    }
    return found;
  }

  #item(value: JsonValue, field: string): string {
    if (typeof value === 'string') return value;
    if (value !== null) this.#mismatch(value, `${RESPONSE}.${field}`, 'string');
    return '';
  }

  #mismatch(value: JsonValue, place: string, type: string): void {
    this.fault ??= mismatch(value, place, type);
  }
}
