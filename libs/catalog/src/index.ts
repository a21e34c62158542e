export * from './catalog.module.js';
export * from './products/medium.js';
export * from './products/product.record.js';
export * from './products/product.store.js';
export * from './products/products.bodies.js';
export * from './products/products.service.js';
