// --requestheader-*: a proxy in front of the server that names users in headers.
import { createHash } from 'node:crypto';
import type { ServerOptions } from '@instar/server';
import { readCertificates } from '@instar/serving';
import { InvalidArgumentError, Option } from 'commander';
import { FlagError } from '../flag-error.ts';
import { moreCommas } from '../flag-values.ts';
import type { ServeFlags } from '../flags.ts';

export function frontProxyOptions(): Option[] {
  return [
    new Option(
      '--requestheader-client-ca-file <file>',
      'CA of the client certificates of proxies that authenticate users themselves, and name them in headers',
    ),
    new Option(
      '--requestheader-allowed-names <names>',
      'common names of those certificates; without it, all of them',
    ).argParser(names),
    new Option('--requestheader-username-headers <names>', 'for example X-Remote-User').argParser(names),
    new Option('--requestheader-uid-headers <names>', 'for example X-Remote-Uid').argParser(names),
    new Option('--requestheader-group-headers <names>', 'for example X-Remote-Group').argParser(names),
    new Option(
      '--requestheader-extra-headers-prefix <prefixes>',
      'for example X-Remote-Extra-: what follows is the key',
    ).argParser(names),
  ];
}

/** None of them may be white space only; an empty list is one. */
function names(text: string, before: readonly string[] = []): string[] {
  if (text === '') return [...before];
  const all = moreCommas(text).map((name) => name.trim());
  if (all.includes('')) throw new InvalidArgumentError('None of the names may be empty.');
  return [...before, ...all];
}

/** Undefined: there is no such proxy, whatever the other flags say. */
export async function frontProxyOf(flags: ServeFlags): Promise<ServerOptions['frontProxy']> {
  const { requestheaderClientCaFile: clientCaFile, requestheaderAllowedNames: allowedNames = [] } = flags;
  if (clientCaFile === undefined) return undefined;
  if (allowedNames.length === 0 && flags.clientCaFile !== undefined) {
    const others = await fingerprintsOf(flags.clientCaFile);
    if ((await fingerprintsOf(clientCaFile)).some((one) => others.includes(one)))
      throw new FlagError(
        '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users',
      );
  }
  return {
    clientCaFile,
    allowedNames,
    usernameHeaders: flags.requestheaderUsernameHeaders ?? [],
    uidHeaders: flags.requestheaderUidHeaders ?? [],
    groupHeaders: flags.requestheaderGroupHeaders ?? [],
    extraHeaderPrefixes: flags.requestheaderExtraHeadersPrefix ?? [],
  };
}

async function fingerprintsOf(file: string): Promise<string[]> {
  const blocks = (await readCertificates(file)).match(/-----BEGIN CERTIFICATE-----[^-]*-----END/g) ?? [];
  return blocks.map((block) => createHash('sha256').update(block.replace(/\s/g, '')).digest('hex'));
}
