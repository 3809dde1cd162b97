// Priority and fairness: the flow schemas and priority levels in force, and the periodic lending of seats.
// The two mandatory levels and schemas are in force even while their objects are missing.
import type { MetricsRegistry } from '@instar/serving';
import { flowControlObjects, isMandatoryFlowControl } from '../../kinds/validate/flow-control-defaults.ts';
import type { FlowSchema } from '../../kinds/validate/flow-schema.ts';
import type { PriorityLevel } from '../../kinds/validate/priority-level.ts';
import type { ApiRequest } from '../../wire/exchange.ts';
import type { RequestInfo } from '../../wire/request-info.ts';
import { createFairnessMetrics, type FairnessMetrics } from './fairness-metrics.ts';
import { CompiledSchema, FlowSchemas } from './flow-schemas.ts';
import { adjust, divide, Level, settingsOf } from './levels.ts';

const ADJUSTMENT_MS = 10_000;
const OBJECTS_PER_SEAT = 100;

/** How many objects a list of the resource may have to go through. */
export type ObjectCount = (info: RequestInfo) => number;

export interface FlowControlOptions {
  /** Those of the whole server. */
  readonly seats: number;
  readonly metrics: MetricsRegistry;
  readonly objectCount: ObjectCount;
  /** In seconds; performance.now unless it is given. */
  readonly now?: () => number;
}

export class FlowControl {
  readonly #seats: number;
  readonly #metrics: FairnessMetrics;
  readonly #objectCount: ObjectCount;
  readonly now: () => number;
  #levels = new Map<string, Level>();
  #schemas!: FlowSchemas;
  #timer: NodeJS.Timeout | undefined;

  constructor({ seats, metrics, objectCount, now = () => performance.now() / 1000 }: FlowControlOptions) {
    this.#seats = seats;
    this.#metrics = createFairnessMetrics(metrics);
    this.#objectCount = objectCount;
    this.now = now;
    this.configure([], []);
  }

  start(): void {
    this.#timer = setInterval(() => this.adjust(), ADJUSTMENT_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get levels(): readonly Level[] {
    return [...this.#levels.values()];
  }

  /** Requests that wait at a level that is gone are still executed, within the seats that it had. */
  configure(levels: readonly PriorityLevel[], schemas: readonly FlowSchema[]): void {
    const configured = withMandatory<PriorityLevel>('PriorityLevelConfiguration', levels).map((object) => {
      const name = object.metadata.name!;
      const settings = settingsOf(object);
      const level = this.#levels.get(name) ?? new Level(name, settings, this.now);
      level.queues.configure(settings);
      level.uid = object.metadata.uid ?? '';
      return { level, object };
    });
    this.#levels = new Map(configured.map(({ level }) => [level.name, level]));
    divide(this.#seats, configured);
    for (const { level } of configured) this.#metrics.limits(level);
    this.#schemas = this.#compile(withMandatory<FlowSchema>('FlowSchema', schemas));
    this.adjust();
  }

  /** Those of levels that do not exist are not asked. */
  #compile(schemas: readonly FlowSchema[]): FlowSchemas {
    const compiled = [...schemas].sort(inOrder).flatMap((schema) => {
      const level = this.#levels.get(schema.spec.priorityLevelConfiguration.name);
      if (level === undefined) return [];
      return [new CompiledSchema(schema, level, this.#metrics.of(level.name, schema.metadata.name!))];
    });
    return new FlowSchemas(compiled, compiled.find(({ name }) => name === 'catch-all')!);
  }

  /** Lends the seats that some levels did not need lately to those that did. */
  adjust(): void {
    const { adjustments, fraction } = adjust(this.levels, this.now());
    this.#metrics.fraction(fraction);
    for (const adjustment of adjustments) this.#metrics.adjusted(adjustment);
  }

  classify(request: ApiRequest): CompiledSchema {
    return this.#schemas.classify(request);
  }

  /** Lists, and watches that begin with a list, by the number of objects; anything else takes one. */
  seatsOf(request: ApiRequest, { maxSeats }: Level): number {
    const { verb, name } = request.info;
    if ((verb !== 'list' && verb !== 'watch') || name !== '') return 1;
    if (verb === 'watch' && !beginsWithList(request)) return 1;
    const count = this.#objectCount(request.info);
    if (count <= OBJECTS_PER_SEAT) return 1;
    const limit = request.rawQuery.includes('limit=') ? Number(request.query.get('limit')) : 0;
    const seats = Math.ceil((limit > 0 ? Math.min(limit, count) : count) / OBJECTS_PER_SEAT);
    return Math.max(1, Math.min(seats, maxSeats));
  }
}

function beginsWithList({ rawQuery, query }: ApiRequest): boolean {
  if (!rawQuery.includes('resourceVersion=')) return true;
  return ['', '0'].includes(query.get('resourceVersion')!) || query.get('sendInitialEvents') === 'true';
}

const inOrder = (a: FlowSchema, b: FlowSchema): number =>
  a.spec.matchingPrecedence - b.spec.matchingPrecedence || (a.metadata.name! < b.metadata.name! ? -1 : 1);

function withMandatory<T extends { metadata: { name?: string } }>(kind: string, objects: readonly T[]): T[] {
  const names = new Set(objects.map(({ metadata }) => metadata.name));
  const missing = flowControlObjects().filter(
    (object) => object.kind === kind && isMandatoryFlowControl(object) && !names.has(object.metadata.name!),
  );
  return [...objects, ...(missing as unknown as T[])];
}
