// YAML to JSON values, as sigs.k8s.io/yaml does it: YAML 1.1 scalars, keys converted to strings, merge keys,
// aliases copied (within limits, so that a small text cannot become a huge value), duplicate keys reported
// while the last one counts.

import { decodeUtf8, quoteGo } from '@instar/go';
import {
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import { memberOf, setMember } from '../deep-copy.ts';
import { MAX_DUPLICATES } from '../json/duplicate-fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import { parseJsonInYaml } from './json-in-yaml.ts';
import { readYamlEvents } from './lenient-events.ts';
import { LineCounter } from './line-counter.ts';
import { keyOfScalar, resolvePlainScalar, type YamlScalar } from './scalar.ts';
import { YamlError, yamlErrorOf } from './yaml-error.ts';

/** The first document of a YAML text, with what a strict decoder objects to. */
export interface ParsedYaml {
  readonly value: JsonValue;
  /**
   * `line 7: key "text" already set in map`, as in Warning headers; strictYamlText is for the answer to a
   * strict request. At most MAX_DUPLICATES of them.
   */
  readonly duplicates: string[];
}

/** go-yaml's limits: up to 400,000 nodes nearly all may come from aliases, from 4,000,000 on only a tenth. */
const ALIASES_FREE_BELOW = 400_000;
const ALIASES_SCARCE_FROM = 4_000_000;

/** The first document; null if there is none. Throws YamlError. */
export function parseYaml(input: Uint8Array | string): ParsedYaml {
  const text = typeof input === 'string' ? input : decodeUtf8(input);
  const json = parseJsonInYaml(text);
  if (json !== undefined) return { value: json, duplicates: [] };
  return documentsOf(text, 1)[0] ?? { value: null, duplicates: [] };
}

/** Every document that is not empty. Throws YamlError. */
export function parseYamlDocuments(input: Uint8Array | string): ParsedYaml[] {
  return documentsOf(typeof input === 'string' ? input : decodeUtf8(input), Number.POSITIVE_INFINITY);
}

/** As many documents that hold something as are asked for. */
function documentsOf(text: string, limit: number): ParsedYaml[] {
  try {
    const { events, source } = readYamlEvents(text.replace(/^\ufeff/, ''));
    return new Builder(source, events).documents(limit);
  } catch (error) {
    throw yamlErrorOf(error);
  }
}

/** The text about duplicates that follows `strict decoding error: `. */
export function strictYamlText(duplicates: readonly string[]): string {
  return `yaml: unmarshal errors:\n${duplicates.map((duplicate) => `  ${duplicate}`).join('\n')}`;
}

type Collection = MappingEvent | SequenceEvent;

class Builder {
  private readonly source: string;
  private readonly events: readonly Event[];
  private position = 0;
  private duplicates: string[] = [];
  /** The index of the event of each anchor. */
  private anchors = new Map<string, number>();
  private readonly openAnchors = new Set<string>();
  private readonly lines: LineCounter;
  private nodes = 0;
  private aliasedNodes = 0;

  constructor(source: string, events: readonly Event[]) {
    this.source = source;
    this.events = events;
    this.lines = new LineCounter(source);
  }

  documents(limit: number): ParsedYaml[] {
    const documents: ParsedYaml[] = [];
    while (this.position < this.events.length && documents.length < limit) {
      this.position++;
      this.duplicates = [];
      this.anchors = new Map();
      const value = this.events[this.position]!.type === EVENT_ID.POP ? null : this.value();
      this.position++;
      if (value !== null || this.duplicates.length > 0)
        documents.push({ value, duplicates: this.duplicates });
    }
    return documents;
  }

  private value(): JsonValue {
    const event = this.events[this.position++]!;
    this.countNode();
    switch (event.type) {
      case EVENT_ID.SCALAR:
        this.noteAnchor(event);
        return finite(this.scalar(event));
      case EVENT_ID.SEQUENCE:
        return this.named(event, () => this.sequence());
      case EVENT_ID.MAPPING:
        return this.named(event, () => this.mapping());
      case EVENT_ID.ALIAS:
        return this.alias(this.source.slice(event.anchorStart, event.anchorEnd));
      default:
        throw new YamlError('yaml: unexpected end of document');
    }
  }

  private sequence(): JsonValue[] {
    const items: JsonValue[] = [];
    while (!this.atEnd()) items.push(this.value());
    this.position++;
    return items;
  }

  private mapping(): JsonObject {
    const object: JsonObject = {};
    const merged: JsonValue[] = [];
    while (!this.atEnd()) {
      const start = this.position;
      if (this.isMergeKey()) {
        this.position++;
        merged.push(this.value());
        continue;
      }
      const { key, printed } = this.key();
      if (Object.hasOwn(object, key) && this.duplicates.length < MAX_DUPLICATES)
        this.duplicates.push(`line ${this.lineOf(start)}: key ${printed} already set in map`);
      setMember(object, key, this.value());
    }
    this.position++;
    for (const value of merged) mergeInto(object, value);
    return object;
  }

  private key(): { key: string; printed: string } {
    const event = this.events[this.position]!;
    const scalar = event.type === EVENT_ID.SCALAR ? this.scalar(event) : null;
    if (event.type === EVENT_ID.SCALAR) {
      this.noteAnchor(event);
      this.position++;
    }
    const key = event.type === EVENT_ID.ALIAS ? this.aliasedKey() : keyOfScalar(scalar);
    if (key === undefined)
      throw new YamlError(`yaml: line ${this.lineOf(this.position)}: unsupported map key`);
    return { key, printed: typeof scalar === 'string' ? quoteGo(key) : key };
  }

  private aliasedKey(): string | undefined {
    const value = this.value();
    return typeof value === 'object' ? undefined : keyOfScalar(value);
  }

  private alias(name: string): JsonValue {
    const target = this.anchors.get(name);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${name}' referenced`);
    if (this.openAnchors.has(name)) throw new YamlError(`yaml: anchor '${name}' value contains itself`);
    const back = this.position;
    const nodes = this.nodes;
    this.position = target;
    const reported = this.duplicates.length;
    const value = this.value();
    // Duplicates are reported only once, not for every alias.
    this.duplicates.length = reported;
    this.position = back;
    this.aliasedNodes += this.nodes - nodes;
    return value;
  }

  private named<T>(event: Collection, build: () => T): T {
    const name = this.noteAnchor(event);
    if (name === undefined) return build();
    this.openAnchors.add(name);
    const value = build();
    this.openAnchors.delete(name);
    return value;
  }

  private noteAnchor(event: Collection | ScalarEvent): string | undefined {
    if (event.anchorStart < 0) return undefined;
    const name = this.source.slice(event.anchorStart, event.anchorEnd);
    this.anchors.set(name, this.events.indexOf(event, Math.max(0, this.position - 1)));
    return name;
  }

  private countNode(): void {
    this.nodes++;
    if (this.nodes <= 100 || this.aliasedNodes <= 100) return;
    const beyond = Math.min(
      1,
      Math.max(0, this.nodes - ALIASES_FREE_BELOW) / (ALIASES_SCARCE_FROM - ALIASES_FREE_BELOW),
    );
    const allowed = 0.99 - 0.89 * beyond;
    if (this.aliasedNodes / this.nodes > allowed)
      throw new YamlError('yaml: document contains excessive aliasing');
  }

  private scalar(event: ScalarEvent): YamlScalar {
    const text = event.valueStart < 0 ? '' : this.scalarText(event);
    const tag =
      event.tagStart < 0
        ? ''
        : this.source.slice(event.tagStart, event.tagEnd).replace(/^!<tag:yaml\.org,2002:(.*)>$/, '!!$1');
    if (tag === '!!str' || tag === '!' || (tag === '' && event.style !== SCALAR_STYLE.PLAIN)) return text;
    if (tag !== '' && !/^!!(int|float|bool|null)$/.test(tag)) return text;
    return resolvePlainScalar(text);
  }

  /** If the last line of a block scalar has no line break, the parser adds one, but go-yaml does not. */
  private scalarText(event: ScalarEvent): string {
    const text = getScalarValue(this.source, event);
    const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
    return isBlock &&
      event.valueEnd >= this.source.length &&
      !this.source.endsWith('\n') &&
      text.endsWith('\n')
      ? text.slice(0, -1)
      : text;
  }

  private isMergeKey(): boolean {
    const event = this.events[this.position]!;
    return (
      event.type === EVENT_ID.SCALAR &&
      event.style === SCALAR_STYLE.PLAIN &&
      event.tagStart < 0 &&
      this.scalar(event) === '<<'
    );
  }

  private atEnd(): boolean {
    return this.events[this.position]!.type === EVENT_ID.POP;
  }

  private lineOf(position: number): number {
    const event = this.events[position]!;
    const offset = 'valueStart' in event ? event.valueStart : 'start' in event ? event.start : 0;
    return this.lines.lineAt(offset);
  }
}

/** Existing keys take precedence, then earlier sources. */
function mergeInto(object: JsonObject, value: JsonValue): void {
  const sources = Array.isArray(value) ? value : [value];
  for (const source of sources) {
    if (!isJsonObject(source))
      throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
    for (const key of Object.keys(source)) {
      if (memberOf(object, key) === undefined) setMember(object, key, source[key]!);
    }
  }
}

function finite(scalar: YamlScalar): YamlScalar {
  if (typeof scalar !== 'number' || Number.isFinite(scalar)) return scalar;
  throw new YamlError(
    `json: unsupported value: ${Number.isNaN(scalar) ? 'NaN' : scalar > 0 ? '+Inf' : '-Inf'}`,
  );
}
