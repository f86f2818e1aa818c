// Checks schema/openapi.json against the official schema of OpenAPI 3.1.
import { Validator } from '@seriousme/openapi-schema-validator';
import { readFile } from 'node:fs/promises';

const path = new URL('../../schema/openapi.json', import.meta.url);
const validator = new Validator();
const result = await validator.validate(JSON.parse(await readFile(path, 'utf8')));
if (!result.valid || validator.version !== '3.1') {
  console.error(`${path.pathname} is not OpenAPI 3.1:`, JSON.stringify(result.errors ?? validator.version, null, 1));
  process.exit(1);
}
