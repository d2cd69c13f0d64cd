import { methodName, pascalCase } from '../names.ts';

/** Words that Python keeps for itself; a member that is one gets a `_` after it. */
const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

const snake = (text: string): string => text.replace(/[\s-]+/g, '_');

/** `annotation jobs` as `annotation_jobs`: a module, and the member of the client. */
export const moduleName = (noun: string): string => snake(noun);

/** `list_run_findings` of `runs` as `list_findings`. */
export const functionName = (id: string, noun: string): string =>
  argumentName(methodName(id, noun).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

export const isKeyword = (name: string): boolean => keywords.has(name);

/** Returns the argument name of a member; keywords get a trailing underscore. */
export const argumentName = (name: string): string => (isKeyword(name) ? `${name}_` : name);

/** `annotation jobs` as `AnnotationJobsOperations`; the asynchronous one has `Async` before it. */
export const className = (noun: string, isAsync: boolean): string =>
  `${isAsync ? 'Async' : ''}${pascalCase(noun)}Operations`;

/** A type within a type: `error` of `Run` is `RunError`. */
export const innerName = (outer: string, member: string): string =>
  `${outer}${pascalCase(member.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, ''))}`;
