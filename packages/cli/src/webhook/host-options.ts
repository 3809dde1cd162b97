// From flags to the options of the host. Mutually exclusive flags are detected here.
import type { FilesTls, HostOptions, InjectionTarget, SelfManagedTls, Webhook } from '@instar/webhook';
import { openCluster } from '../cluster-flags.ts';
import { CommandFailure } from '../exit-with-message.ts';
import type { InjectFlag, WebhookFlags } from './flags.ts';
import { loadLenses } from './load-lenses.ts';
import { loadModule } from './load-modules.ts';
import { makeConversion } from './make-conversion.ts';

export async function hostOptions(flags: WebhookFlags): Promise<HostOptions> {
  checkFlags(flags);
  return {
    webhooks: await webhooksOf(flags),
    listen: { port: flags.port, ...(flags.bindAddress !== undefined && { host: flags.bindAddress }) },
    tls: await tlsOf(flags),
    ...(flags.clientCaFile !== undefined && { clientCaFile: flags.clientCaFile }),
    limits: {
      maxInFlight: flags.maxInFlight,
      maxConversionBytes: flags.maxConversionBytes,
      shutdownMs: flags.shutdownGrace,
      lameDuckMs: flags.lameDuck,
    },
  };
}

function checkFlags({ lens = [], module = [], certFile, keyFile, selfSigned, ...flags }: WebhookFlags): void {
  const refuse = (message: string): never => {
    throw new CommandFailure(`${message}\n(instar webhook serve --help lists every flag)`, 2);
  };
  if (lens.length + module.length === 0) refuse('name what to serve, with --lens FILE or --module FILE');
  if ((certFile === undefined) !== (keyFile === undefined))
    refuse('--cert-file and --key-file must be given together');
  if (
    certFile !== undefined &&
    (selfSigned || flags.service || flags.certDir || flags.certSecret || flags.inject.length > 0)
  ) {
    refuse(
      '--cert-file is for certificates that others renew: it does not go with --self-signed, --service, --cert-dir, --cert-secret or --inject',
    );
  }
  if (flags.certDir !== undefined && flags.certSecret !== undefined)
    refuse('choose one of --cert-dir and --cert-secret');
}

async function webhooksOf({
  lens = [],
  module = [],
  convertPath,
}: WebhookFlags): Promise<Record<string, Webhook>> {
  const modules = await Promise.all(module.map(loadModule));
  const conversions = [...(await loadLenses(lens)), ...modules.flatMap((offered) => offered.conversions)];
  const webhooks: Record<string, Webhook> = {};
  for (const [path, webhook] of modules.flatMap((offered) => [...offered.webhooks])) {
    if (Object.hasOwn(webhooks, path))
      throw new CommandFailure(`two modules want to be served at ${path}`, 2);
    webhooks[path] = webhook;
  }
  if (conversions.length > 0) webhooks[convertPath] = makeConversion(conversions);
  return webhooks;
}

async function tlsOf(flags: WebhookFlags): Promise<FilesTls | { readonly selfManaged: SelfManagedTls }> {
  const { certFile, keyFile, service, host, certDir, certSecret, inject } = flags;
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  const store =
    certDir !== undefined
      ? { directory: certDir }
      : certSecret !== undefined
        ? { secret: certSecret }
        : undefined;
  const needsCluster = certSecret !== undefined || inject.length > 0;
  return {
    selfManaged: {
      hosts: host,
      inject: inject.map(targetOf),
      ...(service !== undefined && { service }),
      ...(store !== undefined && { store }),
      ...(needsCluster && { client: await openCluster(flags, 'instar-webhook', 2) }),
    },
  };
}

function targetOf({ kind, name }: InjectFlag): InjectionTarget {
  switch (kind) {
    case 'customResourceDefinition':
      return { customResourceDefinition: name };
    case 'mutatingWebhookConfiguration':
      return { mutatingWebhookConfiguration: name };
    case 'validatingWebhookConfiguration':
      return { validatingWebhookConfiguration: name };
  }
}
