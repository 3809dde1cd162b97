// The flags that say how client certificates are signed, named as those of kube-controller-manager.
import { Option } from 'commander';
import { duration } from './flag-values.ts';

const YEAR_MS = 365 * 86_400_000;

export function certificateOptions(): Option[] {
  return [
    new Option(
      '--cluster-signing-cert-file <file>',
      "the CA that signs approved CertificateSigningRequests, instead of the server's own; trust it by --client-ca-file",
    ),
    new Option('--cluster-signing-key-file <file>', 'the key of --cluster-signing-cert-file'),
    new Option('--cluster-signing-duration <duration>', 'the longest that signed certificates are valid')
      .default(YEAR_MS, '8760h')
      .argParser(duration),
  ];
}
