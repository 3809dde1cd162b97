// The recorded answers of a real kube-apiserver, step by step: test/conformance/recordings.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the recordings. */
export const RECORDINGS = fileURLToPath(new URL('../../../test/conformance/recordings/', import.meta.url));

/** The ids of the scenarios of an area, such as `verbs-read.lists`, sorted. */
export function recordingsOf(area: string): string[] {
  return readdirSync(`${RECORDINGS}expected`)
    .filter((file) => file.startsWith(area))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/** The answers to the steps of a scenario, in order. */
export function readRecording(id: string): unknown {
  return JSON.parse(readFileSync(`${RECORDINGS}expected/${id}.json`, 'utf8'));
}
