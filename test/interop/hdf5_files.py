"""Writes HDF5 files of every layout, chunk index, filter and type that h5py can make, for the tests of the reader.

Usage: hdf5_files.py FOLDER
"""
import sys

import h5py
import numpy as np

folder = sys.argv[1]
rng = np.random.default_rng(7)


def layouts(file):
    """Each way in which HDF5 finds the elements of a dataset."""
    a = rng.normal(size=(211, 7)).astype('f4')
    wide = rng.integers(0, 255, size=(33, 20, 31, 3), dtype='u1')
    file['contiguous'] = a
    file.create_dataset('chunked', data=a, chunks=(16, 3))
    file.create_dataset('chunked_whole_rows', data=a, chunks=(50, 7))
    file.create_dataset('single_chunk', data=a, chunks=a.shape)
    file.create_dataset('single_chunk_packed', data=a, chunks=a.shape, compression='gzip')
    file.create_dataset('fixed_array', data=a, chunks=(10, 7), maxshape=(400, 7))
    file.create_dataset('fixed_array_packed', data=a, chunks=(10, 2), maxshape=(400, 20), compression='gzip')
    file.create_dataset('fixed_array_pages', data=np.arange(5000, dtype='i4'), chunks=(1,))
    file.create_dataset('extensible', data=a, chunks=(8, 7), maxshape=(None, 7))
    file.create_dataset('extensible_packed', data=a, chunks=(3, 4), maxshape=(None, 9), compression='gzip')
    file.create_dataset('extensible_second', data=a.T, chunks=(2, 5), maxshape=(7, None))
    file.create_dataset('extensible_many', data=np.arange(6000, dtype='i8'), chunks=(2,), maxshape=(None,))
    if file.libver[0] != 'earliest' and file.userblock_size == 0:
        # So many that the array of chunks is cut into pages.
        paged = file.create_dataset('extensible_pages', shape=(280_000,), dtype='i4', chunks=(1,), maxshape=(None,))
        for row in [3, 1_000, 131_059, 131_060, 133_200, 150_000, 200_000, 262_131, 270_000, 279_999]:
            paged[row] = row
    file.create_dataset('tree', data=a, chunks=(3, 2), maxshape=(None, None))
    file.create_dataset('tree_packed', data=a, chunks=(3, 2), maxshape=(None, None), compression='gzip')
    file.create_dataset('tree_deep', data=np.arange(9000).reshape(90, 100), chunks=(1, 2), maxshape=(None, None))
    file.create_dataset('pictures', data=wide, chunks=(4, 7, 11, 2), compression='gzip', compression_opts=1)
    file.create_dataset('pictures_by_one', data=wide, chunks=(1, 20, 31, 3))
    grown = file.create_dataset('grown', shape=(5, 3), chunks=(2, 2), maxshape=(None, 8), dtype='i2', fillvalue=-7)
    grown[...] = 1
    grown.resize((23, 6))
    grown[20:, 4:] = 9
    grown.resize((22, 6))
    file.create_dataset('never_written', shape=(9, 2), dtype='f8', fillvalue=1.5)
    file.create_dataset('never_written_chunks', shape=(9, 2), dtype='f8', chunks=(2, 2))
    space = h5py.h5s.create_simple((13, 5))
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((4, 2))
    plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    implicit = h5py.h5d.create(file.id, b'implicit', h5py.h5t.NATIVE_INT32, space, plist)
    implicit.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(65, dtype='i4').reshape(13, 5))
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_layout(h5py.h5d.COMPACT)
    compact = h5py.h5d.create(file.id, b'compact', h5py.h5t.NATIVE_INT32, space, plist)
    compact.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(65, dtype='i4').reshape(13, 5))
    file['scalar'] = 4.25
    file['no_rows'] = np.zeros((0, 4))
    file['null'] = h5py.Empty('f4')


def filters(file):
    a = np.round(rng.normal(size=(301, 5)), 2)
    for name, options in {
        'gzip': {'compression': 'gzip'},
        'gzip_shuffle': {'compression': 'gzip', 'shuffle': True},
        'shuffle': {'shuffle': True},
        'fletcher32': {'fletcher32': True},
        'all': {'compression': 'gzip', 'shuffle': True, 'fletcher32': True},
        'lzf': {'compression': 'lzf'},
        'lzf_shuffle_fletcher32': {'compression': 'lzf', 'shuffle': True, 'fletcher32': True},
    }.items():
        for dtype in ['f8', 'f4', 'i2', 'u1']:
            file.create_dataset(f'{name}_{dtype}', data=a.astype(dtype) if dtype != 'u1' else (a * a).astype('u1'),
                                chunks=(64, 3), **options)
    file.create_dataset('noise_lzf', data=rng.integers(0, 255, size=(999,), dtype='u1'), chunks=(333,), compression='lzf')
    file.create_dataset('noise_fletcher32_odd', data=rng.integers(0, 255, size=(999,), dtype='u1'), chunks=(333,), fletcher32=True)
    half = file.create_dataset('half_packed', shape=(8, 4), chunks=(4, 4), dtype='i4', compression='gzip')
    half[:4] = 3
    half.id.write_direct_chunk((4, 0), np.full((4, 4), 5, dtype='i4').tobytes(), filter_mask=1)


def types(file):
    b = np.array([[0, 1, 2], [100, 127, 5]])
    for order in '<>':
        for kind in ['i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', 'f4', 'f8']:
            name = {'<': 'little', '>': 'big'}[order]
            file[f'{name}_{kind}'] = (-b if kind[0] == 'i' else b * 1.25 if kind[0] == 'f' else b).astype(order + kind)
    file['extremes_f2'] = np.array([0, -0.0, 6e-8, 65504, -1, np.inf, -np.inf, np.nan], dtype='f2')
    file['extremes_f8'] = np.array([0, 5e-324, 1.7e308, np.inf, -np.inf, np.nan])
    file['boolean'] = np.array([True, False, True])
    file.create_dataset('enum', data=[2, 0, 1], dtype=h5py.enum_dtype({'a': 0, 'b': 1, 'c': 2}, basetype='i2'))
    file['fixed_text'] = np.array([b'ab', b'', b'abcd'], dtype='S4')
    file.create_dataset('text', data=['', 'Gr\u00fc\u00dfe', 'x' * 3000], dtype=h5py.string_dtype())
    file.create_dataset('text_chunked', data=[f'row {i}' for i in range(100)], dtype=h5py.string_dtype('ascii'),
                        chunks=(7,), compression='gzip')
    pictures = file.create_dataset('sequences', (3,), dtype=h5py.vlen_dtype('u1'))
    for i in range(3):
        pictures[i] = np.arange(i * 50, dtype='u1')
    floats = file.create_dataset('sequences_of_floats', (2,), dtype=h5py.vlen_dtype('f8'))
    floats[0] = [1.5, 2.5]
    file['compound'] = np.array([(1, 2.5, b'x')], dtype=[('a', 'i4'), ('b', 'f8'), ('c', 'S3')])
    file.create_dataset('array', data=np.arange(24).reshape(4, 2, 3), dtype=None)
    file.create_dataset('arrays', shape=(4,), dtype=np.dtype(('i4', (2, 3))))[...] = np.arange(24).reshape(4, 2, 3)
    file['opaque'] = np.array([b'\1\2', b'\3\4'], dtype='V2')
    odd = h5py.h5t.NATIVE_INT32.copy()
    odd.set_precision(12)
    odd.set_offset(4)
    put(file, b'int_of_12_bits', odd, np.array([-5, 7, 2047, -2048], dtype='i4'))
    brain = h5py.h5t.IEEE_F32LE.copy()
    brain.set_fields(15, 7, 8, 0, 7)
    brain.set_size(2)
    brain.set_ebias(127)
    put(file, b'bfloat16', brain, np.array([1, -2.5, 3e38, 0], dtype='f4'))
    file['named'] = np.dtype('f4')
    file.create_dataset('of_named_type', data=[1.5, 2.5], dtype=file['named'])


def put(file, name, dtype, values):
    dataset = h5py.h5d.create(file.id, name, dtype, h5py.h5s.create_simple(values.shape))
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, values)


def groups(file):
    many = file.create_group('many')
    for i in range(700):
        many[f'member_{i}'] = i
    deep = file
    for i in range(12):
        deep = deep.create_group(f'level_{i}')
    deep['leaf'] = [1, 2, 3]
    ordered = file.create_group('ordered', track_order=True)
    for name in 'zebra ant monkey'.split():
        ordered[name] = len(name)
    file['hard'] = many
    file['soft'] = h5py.SoftLink('/many/member_3')
    file['circle'] = file['/']
    file['dangling'] = h5py.SoftLink('/nowhere')
    file['turning'] = h5py.SoftLink('/turning')
    file['outside'] = h5py.ExternalLink('/etc/passwd', '/x')
    file['\u540d\u524d'] = 1
    attributes(file.create_group('attributes'))
    attributes(file.create_dataset('with_attributes', data=[1]))


def attributes(target):
    target.attrs['text'] = 'Gr\u00fc\u00dfe'
    target.attrs['bytes'] = np.bytes_('ascii')
    target.attrs['integer'] = 2 ** 53
    target.attrs['number'] = 0.02
    target.attrs['yes'] = True
    target.attrs['numbers'] = np.arange(6, dtype='>i4').reshape(2, 3)
    target.attrs['texts'] = ['a', 'bc']
    target.attrs['empty'] = h5py.Empty('f4')
    target.attrs['long'] = 'x' * 40_000
    for i in range(60):
        target.attrs[f'many_{i}'] = i
    if target.file.libver[0] != 'earliest':
        target.attrs['huge'] = np.arange(30_000, dtype='i8')


for libver in ['earliest', 'v110', 'latest']:
    for make in [layouts, filters, types, groups]:
        with h5py.File(f'{folder}/{make.__name__}_{libver}.h5', 'w', libver=(libver, 'latest')) as made:
            make(made)
for block in [512, 4096]:
    with h5py.File(f'{folder}/user_block_{block}.h5', 'w', userblock_size=block) as made:
        layouts(made)
