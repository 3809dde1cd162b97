// Values that kube-apiserver 1.36.4 has stored for widgets of enc.example.com, and the keys that it had.
export const KUBE_APISERVER_KEYS = {
  aesgcm: { name: 'k1', secret: Buffer.from('WEgImyvyA0UihTfAlnzo0OvdkiI8DEv4KoCHKHshu/4=', 'base64') },
  secretbox: { name: 's1', secret: Buffer.from('lHsGGehPpkrMGLrDM5I3R9gN7KNqm6cxwMj3mnTFl6k=', 'base64') },
  aescbc: { name: 'c1', secret: Buffer.from('aqJcqvtQpXxt5owG0JGyvA==', 'base64') },
} as const;

export const KUBE_APISERVER_NAMES = { aesgcm: 'bykas', secretbox: 'sb', aescbc: 'cb' } as const;

export const KUBE_APISERVER_VALUES = {
  aesgcm: [
    'azhzOmVuYzphZXNnY206djE6azE6W23WPAXn9xJT6gKa7NjPIXhvDKl8yvYA4X/VKhNcjlLDFMrEXu+k2046543HnAz3dhDtCKYg',
    'CedEHXXhjaVThuUHcuT5p49DAOOCwgppeflo0qsRIO5R8K6Zr9bSVGQzhs2uwIqsbQAppWbVvFgLrHPjXLdDSwrGSkLkgjmYV9n3',
    'wrm76J4t9nhE+GPI1fjezxunBHit4Clu4puxMyGUhesbCWUO3LZZ70vwnv1aLWmYsXxwcoEDTfFfmgzgZVHHPm3MYG4G7kxmZENO',
    '4A3dXKpjeVXPMjbTz4qRcn7Q5Yx8EGHxV8jtmn7smuORXSs9p/zRuD8rZIkPQP+2jBHY6l7wtCnDWTqMGHMKMqNtxAMwb2bN/VZ5',
    'gd5CM0cvL8SAyy0Y5zo1THemsj43V7c6x3oVcCLMFqzSi7jSOf+l3neXMd9fSyomI/Vv/gCAON5jBa2IBuEJZsxumh3DkWthM6Gd',
    '+Ug5g5bOKjXqXbJoxGherIdnKYqCJF4LJxJ6CbymiOL3U/26BkVRUWUjG5X7aBiXY+PCSKUyMA4+HxCTchbCLiIzeY+CPBnGn7Ne',
    'Ejc5CANdyU169dLVR9sR',
  ].join(''),
  secretbox: [
    'azhzOmVuYzpzZWNyZXRib3g6djE6czE65Pu8hc70a5P7uhZErERaDThwaFjwLL/mBrL/7G06z7KLlqzJvW/IM9jlbF3LcsVzjYDy',
    'nQRrwn8JEmFeuboDI8Bmppt8G9mpwR8zIGFEQsDrlUP01Y0IIqMdPTduWrDDZiojBZU6rG1Vx9hwg3+i/pLxdt+UxnRax4smJ5wn',
    'ZxRX/RDKZOu4kniRZ9GOKoLbv10O8adN4icjXLy8V5iVXHqdh/Ltc/gGodSIqE1heU4hFcaqsTJjq8Mq0XRV2rdI+4Xq/33Efddg',
    '/lq3GGZKi0JbQODPZga5tcIaAGFV/H4r56iSG2gDSDFx7uEF15I5v1MNaqhzS4aDs1D/TuENvZDN47TQlnrTES2PgDuhBXEhOI33',
    's2/bHhaPu6/mNxLhqX4gAeOsHsV3yZB28kU6FzZUi8J0kwkvt2y9dUzrRuoNh2H55Sr934w3uo0cNf4gPEzyNYaQUYy038B8OlUX',
    'MLIBt2R31/Px9IvVGwy8yB9FU9not9JFL61raHUzs2RX6UQ8fQnHrERFY+m8fZLSOkMUDk052aU7/P1nuETdEnwkWWv1jSwv4Otb',
    'NRbkEXPoQjaM8oMTkI8=',
  ].join(''),
  aescbc: [
    'azhzOmVuYzphZXNjYmM6djE6YzE6ySEaTlfhitG3Z/0wtV1NP+NjacoeIA5nbXxrDusZGIHWUCofiCL4Tgn03c35oI06i/7lpoHp',
    'VlCHHtXObPWcYtonKb7YQqV6RJRZnFy7oKSMrMYqeltetpuegTK8CMrnwHyOTP7FWocYr4SvxXtzOGyRU5XHrx1cvT6oic25pstV',
    'wUrfxXpYNjYu4GvpcAHHsf9N8lHYoKnNiPWhJMwo2Qo4V0omZ9hQoGCdLMYdAvf8U6/mw7JPwi0HevVOomj3JEypp5ompeP455Me',
    'EAAzeDGVUwEwCN0f65AQcZnVRvYjxVkCdMMWUgQR5tcqWbCra1i2HqOYZlU3UIzwTFRGirOLS9rADIxCKv2GgCH+ESVgRIFP3Vhi',
    '598j3TlvFUu4oxWdLqdasn6askkgc+T+sSxijuiNtAM8bPrU9tI9kIJurjLnxmq0A9P4QtVQqXmDxPqGJGh9Orof8x9VtcAHnEiX',
    '5K60ebdmdOSpwb9eMz/YDpFXczWTveGZ78Tx+IdZ45exN8/jMcw3lGPSPf6nUIScP1Bt8H6JJFMrmd3bN9IJR2M3bVazJVY3++dO',
    'fbHw',
  ].join(''),
} as const;
