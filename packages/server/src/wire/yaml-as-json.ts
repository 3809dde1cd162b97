// A YAML text as JSON, which passes between threads as bytes and can be parsed in steps.
import { encodeJson, parseYaml } from '@instar/machinery';

export interface YamlAsJson {
  readonly json: Uint8Array;
  /** As in ParsedYaml. */
  readonly duplicates: string[];
}

/** Throws YamlError. */
export function yamlAsJson(text: Uint8Array): YamlAsJson {
  const { value, duplicates } = parseYaml(text);
  return { json: new TextEncoder().encode(encodeJson(value)), duplicates };
}
