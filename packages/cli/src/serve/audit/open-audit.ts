// Reads the policy of audit, and connects the webhook that gets the events.
import { KubeClient, readClusterAccess } from '@instar/client';
import { type AuditOptions, parseAuditPolicy } from '@instar/server';
import { type Log, readNamed } from '@instar/serving';
import { FlagError } from '../flag-error.ts';
import type { AuditSettings } from './settings.ts';

/** What a webhook answers is not read. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** Undefined: nothing is recorded. */
export async function openAudit(
  { policyFile, log, webhook }: AuditSettings,
  serverLog: Log,
): Promise<AuditOptions | undefined> {
  if (policyFile === undefined) {
    for (const [backend, options] of Object.entries({ log, webhook }))
      if (options !== undefined)
        serverLog.warn(
          { backend },
          `No audit policy file provided, no events will be recorded for ${backend} backend`,
        );
    return undefined;
  }
  const text = await readNamed(policyFile);
  return {
    policy: policyOf(text, policyFile, serverLog),
    log,
    webhook: webhook && { ...webhook, send: await sender(webhook.kubeconfigFile) },
  };
}

function policyOf(text: string, file: string, log: Log): AuditOptions['policy'] {
  try {
    return parseAuditPolicy(text, (what) => log.warn({ file }, what));
  } catch (error) {
    throw new FlagError(`loading audit policy file: ${(error as Error).message}: from file ${file}`);
  }
}

async function sender(kubeconfig: string): Promise<(body: string) => Promise<void>> {
  const access = await readClusterAccess({ kubeconfig });
  // The backend repeats calls itself.
  const client = new KubeClient(access, {
    timeoutMs: TIMEOUT_MS,
    maxRetries: 0,
    maxBodyBytes: MAX_ANSWER_BYTES,
  });
  return async (body) => {
    await client.request({
      method: 'POST',
      path: '',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
    });
  };
}
