// The dumps of priority and fairness under /debug, as upstream has them: a line for each level, and for each
// queue that was used. Single requests are not listed.
import type { RouteTable } from '../../wire/router.ts';
import type { FlowControl } from './flow-control.ts';
import type { Level } from './levels.ts';

const PATH = '/debug/api_priority_and_fairness';
const encoder = new TextEncoder();

export function fairnessRoutes(control: FlowControl): RouteTable {
  const table = (columns: readonly string[], rows: (level: Level) => unknown[][]) => async () => ({
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: encoder.encode(aligned([columns, ...inOrder(control).flatMap(rows)])),
  });
  return {
    [`${PATH}/dump_priority_levels`]: table(LEVEL_COLUMNS, (level) => [levelRow(level)]),
    [`${PATH}/dump_queues`]: table(QUEUE_COLUMNS, queueRows),
  };
}

const inOrder = ({ levels }: FlowControl): Level[] => [...levels].sort((a, b) => (a.name < b.name ? -1 : 1));

const LEVEL_COLUMNS = [
  ...['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests', 'ExecutingRequests'],
  ...['DispatchedRequests', 'RejectedRequests', 'TimedoutRequests', 'CancelledRequests'],
];

function levelRow({ name, queues }: Level): unknown[] {
  const { waiting, executing, counts } = queues;
  const active = queues.dump().filter((queue) => queue.waiting.length > 0).length;
  const { dispatched, rejected, timedOut, cancelled } = counts;
  const isIdle = waiting + executing === 0;
  return [name, active, isIdle, false, waiting, executing, dispatched, rejected, timedOut, cancelled];
}

const QUEUE_COLUMNS = [
  ...['PriorityLevelName', 'Index', 'PendingRequests', 'ExecutingRequests', 'SeatsInUse', 'NextDispatchR'],
];

const queueRows = ({ name, queues }: Level): unknown[][] =>
  queues
    .dump()
    .map(({ index, waiting, executing, seatsInUse, start }) => [
      name,
      index,
      waiting.length,
      executing,
      seatsInUse,
      `${start.toFixed(8)}ss`,
    ]);

/** Columns as wide as their widest cell, as Go's tabwriter sets them. */
function aligned(rows: readonly (readonly unknown[])[]): string {
  const texts = rows.map((row) => row.map((cell, index) => `${cell}${index < row.length - 1 ? ',' : ''}`));
  const widths = texts[0]!.map((_, index) => Math.max(8, ...texts.map((row) => row[index]!.length + 1)));
  const line = (row: string[]): string =>
    row.map((cell, index) => (index < row.length - 1 ? cell.padEnd(widths[index]!) : cell)).join('');
  return texts.map((row) => `${line(row)}\n`).join('');
}
