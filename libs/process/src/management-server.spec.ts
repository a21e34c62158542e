import express from 'express';
import supertest from 'supertest';

import { knownHostsOnly } from './management-server.js';

const app = express();
app.use(knownHostsOnly('ops.example.com'));
app.get('/', (_request, response) => {
  response.json({});
});

describe("the operators' port", () => {
  it.each(['127.0.0.1:3001', '[::1]:3001', 'localhost:3001', 'worker:3002', 'ops.example.com'])(
    'answers to %s',
    async (host) => {
      expect((await supertest(app).get('/').set('Host', host)).status).toBe(200);
    },
  );

  it.each(['rebound.example.net:3001', 'localhost.example.net', '127.0.0.1.example.net:3001'])(
    'refuses %s, a name that anybody may point at it',
    async (host) => {
      expect((await supertest(app).get('/').set('Host', host)).status).toBe(421);
    },
  );
});
