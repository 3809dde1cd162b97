// The thread that yaml-thread.ts starts: turns YAML into JSON, one text after another.
import { parentPort } from 'node:worker_threads';
import { YamlError } from '@instar/machinery';
import { yamlAsJson } from './yaml-as-json.ts';
import type { YamlAnswer, YamlTask } from './yaml-thread.ts';

parentPort!.on('message', (task: YamlTask) => {
  const answer = answerTo(task);
  parentPort!.postMessage(answer, 'json' in answer ? [answer.json.buffer as ArrayBuffer] : []);
});

function answerTo({ id, text }: YamlTask): YamlAnswer {
  try {
    return { id, ...yamlAsJson(text) };
  } catch (error) {
    return { id, message: (error as Error).message, isFault: error instanceof YamlError };
  }
}
