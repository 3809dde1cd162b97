// Folders that end with the tests that wrote to them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * An empty folder, removed after all tests of the file or of the describe block. Within a test or a
 * beforeEach hook, hand in `onTestFinished` instead.
 */
export function temporaryFolder(whenDone: (remove: () => void) => void = afterAll): string {
  const folder = mkdtempSync(join(tmpdir(), 'instar-test-'));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
