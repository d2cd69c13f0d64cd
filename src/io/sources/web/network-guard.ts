import { lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { AssayError } from '#core';

/** Method, headers, body and abort signal of a request. */
interface FetchOptions {
  readonly method: 'GET' | 'HEAD' | 'POST';
  /** Sent with `POST`. */
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Sends one request without following redirects. */
export type Fetch = (url: URL, options: FetchOptions) => Promise<Response>;

/**
 * Returns a `fetch` that connects to public addresses over https, and to `networks` (addresses or CIDR ranges) over
 * http and https; other addresses throw `source_not_allowed` before anything is sent. The address is checked when the
 * name is resolved, and the connection goes to the address that was checked, so a DNS server cannot answer with another
 * one afterwards. The operator allows `networks`. Proxies of the environment are not used.
 */
export function guardedFetch(networks: readonly string[]): Fetch {
  const key = networks.join(' ');
  const existing = fetchers.get(key);
  if (existing !== undefined) return existing;
  const created = createFetch(new AddressRules(networks));
  fetchers.set(key, created);
  return created;
}

/** Fetch functions by networks, so that connections are reused. */
const fetchers = new Map<string, Fetch>();

const agentOptions = { keepAlive: true, maxSockets: 32, maxFreeSockets: 8 };

function createFetch(rules: AddressRules): Fetch {
  const plain = new http.Agent({ ...agentOptions, lookup: checkedLookup(rules, 'http:') });
  const secure = new https.Agent({ ...agentOptions, lookup: checkedLookup(rules, 'https:') });
  return async (url, options) => {
    return checkLiteral(rules, url) === 'https:'
      ? send((given, on) => https.request(url, given, on), secure, options)
      : send((given, on) => http.request(url, given, on), plain, options);
  };
}

/**
 * Throws `source_not_allowed` for an address that `guardedFetch` never connects to: another scheme, a literal address
 * that is not allowed, or `http://` without allowed networks. Names are resolved only when a connection is made.
 */
export function requireReachable(networks: readonly string[], url: URL): void {
  const protocol = checkLiteral(new AddressRules(networks), url);
  if (protocol === 'http:' && networks.length === 0) throw addressError(url.hostname, protocol);
}

/** Returns the protocol of an address. Connections to a literal address resolve no name, so it is checked here. */
function checkLiteral(rules: AddressRules, url: URL): Protocol {
  const { protocol } = url;
  if (protocol !== 'https:' && protocol !== 'http:') throw schemeError(url);
  // URL has normalised decimal, octal and hex forms.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !rules.allows(literal, protocol)) throw addressError(url.hostname, protocol);
  return protocol;
}

type Sender = (
  options: http.RequestOptions,
  on: (answer: http.IncomingMessage) => void,
) => http.ClientRequest;

function send(sender: Sender, agent: http.Agent, { body, ...options }: FetchOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = sender({ ...options, agent }, (answer) => {
      try {
        resolve(toResponse(answer, options.method));
      } catch (thrown) {
        answer.destroy();
        reject(thrown);
      }
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Statuses of answers without a body, for which `Response` accepts none. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(answer: http.IncomingMessage, method: FetchOptions['method']): Response {
  const { statusCode: status = 0, rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at], rawHeaders[at + 1]);
  if (method !== 'HEAD' && !bodiless.has(status))
    return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers });
  answer.resume();
  return new Response(null, { status, headers });
}

/** Resolves names like `dns.lookup`, and fails if any address of the name is not allowed. */
function checkedLookup(rules: AddressRules, protocol: Protocol): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const isRefused =
        error === null &&
        (addresses.length === 0 || addresses.some(({ address }) => !rules.allows(address, protocol)));
      // One message for names that do not exist and for private ones, so that internal names cannot be found out.
      if (isRefused || error?.code === 'ENOTFOUND')
        callback(addressError(host, protocol) as unknown as NodeJS.ErrnoException, []);
      else if (error !== null) callback(error, []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0].address, addresses[0].family);
    });
  };
}

type Protocol = 'http:' | 'https:';

/** Decides to which IP addresses a service may connect for its users. */
export class AddressRules {
  readonly #allowed = new BlockList();

  /** Throws `usage` for a network that is not an address or a range such as `10.0.0.0/8`. */
  constructor(networks: readonly string[]) {
    for (const network of networks) addNetwork(this.#allowed, network);
  }

  /** True for addresses in the allowed networks, and over https for addresses of the public internet. */
  allows(address: string, protocol: Protocol): boolean {
    const plain = withoutEmbedding(address);
    if (plain === null) return false;
    if (this.#allowed.check(plain, familyOf(plain))) return true;
    return protocol === 'https:' && isPublic(plain);
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

function addNetwork(list: BlockList, network: string): void {
  const [address, bits, ...rest] = network.split('/');
  const version = isIP(address);
  const maxBits = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? maxBits : Number(bits);
  if (version === 0 || rest.length > 0 || !/^\d+$/.test(bits ?? '0') || prefix > maxBits)
    throw new AssayError('usage', `${network} is not an IP address or network`, {
      advice: 'use addresses and networks such as 10.20.0.0/16 or fd00::/8, separated by commas',
    });
  list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
}

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return list;
};

/** IPv4 ranges that are not public: the IANA special-purpose registry (RFC 6890), multicast, and a cloud's own address. */
const special4 = listOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure serves credentials of its machines there (WireServer), inside a public range.
  '168.63.129.16',
]);

/** The global unicast addresses of IPv6, and the parts of them that are not public (RFC 6890, RFC 9637). */
const unicast6 = listOf(['2000::/3']);
const special6 = listOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

function isPublic(address: string): boolean {
  if (familyOf(address) === 'ipv4') return !special4.check(address, 'ipv4');
  return unicast6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}

/** IPv6 ranges whose last 32 bits are the IPv4 address that is reached: mapped (RFC 4291) and NAT64 (RFC 6052). */
const embedding6 = listOf(['::ffff:0:0/96', '64:ff9b::/96']);

/** Returns the IPv4 address that an IPv6 address stands for, else the address; null if it is no plain address. */
function withoutEmbedding(address: string): string | null {
  if (isIP(address) === 4) return address;
  if (isIP(address) === 0 || address.includes('%')) return null;
  if (!embedding6.check(address, 'ipv6')) return address;
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

const schemeError = ({ protocol }: URL): AssayError =>
  new AssayError('source_not_allowed', `recordings cannot be read from ${protocol}//`, {
    advice: 'use an https:// address',
  });

function addressError(host: string, protocol: Protocol): AssayError {
  if (protocol === 'http:')
    return new AssayError('source_not_allowed', `unencrypted http:// is not allowed for ${host}`, {
      advice: 'use https://; the operator can allow a network in ASSAY_SOURCE_WEB_NETWORKS',
    });
  return new AssayError('source_not_allowed', `${host} does not have a public address`, {
    advice: 'check the host name; the operator can allow a private network in ASSAY_SOURCE_WEB_NETWORKS',
  });
}
