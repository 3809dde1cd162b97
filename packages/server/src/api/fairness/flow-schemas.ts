// The flow schemas in the order in which they are asked, and which of them a request belongs to. What decides
// about a user (name and groups) is looked up once per user and kept.
import type { FlowSchema } from '../../kinds/validate/flow-schema.ts';
import type { ApiRequest, UserInfo } from '../../wire/exchange.ts';
import type { Flow, FlowMetrics } from './flow.ts';
import {
  type CompiledRule,
  compileRule,
  matcherFor,
  matches,
  matchesEverything,
  type RequestMatcher,
} from './flow-rules.ts';
import type { Level } from './levels.ts';
import { handOf } from './shuffle-shard.ts';

/** Users and flows that are remembered; both can be found again. */
const MAX_REMEMBERED = 4096;

export class CompiledSchema {
  readonly name: string;
  readonly uid: string;
  readonly level: Level;
  readonly metrics: FlowMetrics;
  readonly rules: readonly CompiledRule[];
  readonly #method: string | undefined;
  readonly #flows = new Map<string, Flow>();

  constructor({ metadata, spec }: FlowSchema, level: Level, metrics: FlowMetrics) {
    this.name = metadata.name ?? '';
    this.uid = metadata.uid ?? '';
    this.level = level;
    this.metrics = metrics;
    this.rules = (spec.rules ?? []).map(compileRule);
    this.#method = spec.distinguisherMethod?.type;
  }

  flowOf({ user, info }: ApiRequest): Flow {
    const distinguisher =
      this.#method === 'ByUser' ? user.name : this.#method === 'ByNamespace' ? info.namespace : '';
    let flow = this.#flows.get(distinguisher);
    if (flow === undefined) {
      if (this.#flows.size >= MAX_REMEMBERED) this.#flows.clear();
      this.#flows.set(distinguisher, (flow = this.#flow(distinguisher)));
    }
    return flow;
  }

  #flow(distinguisher: string): Flow {
    const { type, queues, handSize } = this.level.settings;
    const hand = type === 'queue' ? handOf(`${this.name}\0${distinguisher}`, queues, handSize) : [];
    return { metrics: this.metrics, schema: this.name, distinguisher, hand };
  }
}

interface Candidate {
  readonly schema: CompiledSchema;
  readonly matcher: RequestMatcher;
  readonly isLast: boolean;
}

interface RememberedUser {
  readonly groups: readonly string[];
  readonly candidates: readonly Candidate[];
}

export class FlowSchemas {
  readonly #schemas: readonly CompiledSchema[];
  readonly #fallback: CompiledSchema;
  readonly #users = new Map<string, RememberedUser>();

  /** In order; `fallback` for a request that none of them matches. */
  constructor(schemas: readonly CompiledSchema[], fallback: CompiledSchema) {
    this.#schemas = schemas;
    this.#fallback = fallback;
  }

  classify(request: ApiRequest): CompiledSchema {
    for (const { schema, matcher, isLast } of this.#candidatesOf(request.user))
      if (isLast || matches(matcher, request)) return schema;
    return this.#fallback;
  }

  #candidatesOf(user: UserInfo): readonly Candidate[] {
    const known = this.#users.get(user.name);
    if (known !== undefined && haveSame(known.groups, user.groups)) return known.candidates;
    const candidates: Candidate[] = [];
    for (const schema of this.#schemas) {
      const matcher = matcherFor(user, schema.rules);
      if (matcher === undefined) continue;
      const isLast = matchesEverything(matcher);
      candidates.push({ schema, matcher, isLast });
      if (isLast) break;
    }
    if (this.#users.size >= MAX_REMEMBERED) this.#users.clear();
    this.#users.set(user.name, { groups: user.groups, candidates });
    return candidates;
  }
}

function haveSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((group, index) => group === b[index]));
}
