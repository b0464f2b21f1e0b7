#!/usr/bin/env python3
"""Capture files for tests.

captures.py make FILE N [uniform]   N frames with known gaps: UDP and TCP, IPv4 and IPv6, tagged and not, odd and even
                                    sizes of all kinds, ARP, fragments; uniform: UDP of 64 bytes alone
captures.py compare FILE CAPTURE in|out
                                    of a replay of FILE at its own times: frames in the capture, those with the same bytes
                                    (the stamp aside), stamped ones, gaps too short and too long by more than the lag
                                    that a replay bears, median error of the gaps in ns
captures.py flows CAPTURE TRIAL in|out
                                    flows of the frames stamped in that trial, fewest and most frames of one
"""
import struct
import sys

LAG_NS = 51000  # 50 us, and what clocks differ


def ones(data, start=0):
    if len(data) % 2:
        data += b"\0"
    total = start + sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def l4(protocol, pseudo, index, payload):
    ports = struct.pack(">HH", 50000 + index % 10000, 9)
    if protocol == 17:
        head = ports + struct.pack(">HH", 8 + len(payload), 0)
        place = 6
    else:
        head = ports + struct.pack(">IIBBHHH", index, 1, 0x50, 0x10, 8192, 0, 0)
        place = 16
    whole = head + payload
    check = 0xFFFF & ~ones(pseudo + struct.pack(">HH", len(whole), protocol) + whole)
    return whole[:place] + struct.pack(">H", check or 0xFFFF) + whole[place + 2:]


def ipv4(protocol, index, payload, fragment=0):
    addresses = bytes([10, 1, index >> 8 & 255, index & 255, 10, 9, 8, 7])
    body = l4(protocol, addresses, index, payload)
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(body), index & 0xFFFF, fragment, 64, protocol, 0) + addresses
    return head[:10] + struct.pack(">H", 0xFFFF & ~ones(head)) + head[12:] + body


def ipv6(protocol, index, payload):
    addresses = bytes.fromhex("20010db8000000000000000000000001" "20010db8000000000000000000000002")
    body = l4(protocol, addresses, index, payload)
    return struct.pack(">IHBB", 0x60000000, len(body), protocol, 64) + addresses + body


def frame(index, kind):
    macs = bytes.fromhex("02000000000a" "02000000000b")
    size = 18 + (index * 37) % 1400
    payload = bytes((index + i) & 255 for i in range(size))
    tag = b""
    if kind == 4:
        tag = bytes.fromhex("81000064")
    if kind == 5:
        return macs + bytes.fromhex("0806" "0001080006040001" "02000000000b0a010203000000000000" "0a090807")
    if kind == 6:
        return macs + bytes.fromhex("0800") + ipv4(17, index, payload, 0x2000)
    if kind == 7:
        return macs + bytes.fromhex("0800") + ipv4(17, index, payload[:3]) + bytes(15)
    if kind in (2, 3):
        return macs + bytes.fromhex("86dd") + ipv6(17 if kind == 2 else 6, index, payload)
    return macs + tag + bytes.fromhex("0800") + ipv4(6 if kind == 1 else 17, index, payload)


def make(path, n, uniform):
    at = 1700000000 * 10**9
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, 1))
        one = bytes.fromhex("02000000000a" "02000000000b" "0800") + ipv4(17, 0, bytes(18))
        for i in range(n):
            data = one if uniform else frame(i, i % 8)
            out.write(struct.pack("<IIII", at // 10**9, at % 10**9, len(data), len(data)) + data)
            at += 1000 if uniform else 100000 + (i * 7919) % 200000


def records(path):
    """Classic pcap and pcapng as tandem writes them: (ns, direction, bytes)."""
    data = open(path, "rb").read()
    if struct.unpack_from("<I", data)[0] != 0x0A0D0D0A:
        at = 24
        while at < len(data):
            sec, frac, caplen, _ = struct.unpack_from("<IIII", data, at)
            yield sec * 10**9 + frac, "", data[at + 16:at + 16 + caplen]
            at += 16 + caplen
        return
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        if kind == 6:
            _, high, low, caplen, _ = struct.unpack_from("<IIIII", data, at + 8)
            end = at + 28 + (caplen + 3) // 4 * 4
            code, length, flags = struct.unpack_from("<HHI", data, end)
            direction = {1: "in", 2: "out"}.get(flags & 3, "?") if (code, length) == (2, 4) else "?"
            yield high << 32 | low, direction, data[at + 28:at + 28 + caplen]
        at += size


def stamp_place(data):
    place = data.rfind(b"Tm\x01")
    return place if 0 <= place <= len(data) - 18 else -1


def blank(data, place):
    """The stamp and the L4 checksum that made room for it replaced by zeros."""
    if place < 0:
        return data
    data = data[:place] + bytes(18) + data[place + 18:]
    l3 = 18 if data[12:14] == b"\x81\0" else 14
    v6 = data[l3] >> 4 == 6
    check = l3 + (40 if v6 else 20) + (6 if data[l3 + (6 if v6 else 9)] == 17 else 16)
    return data[:check] + b"\0\0" + data[check + 2:]


def compare(original, capture, direction):
    """Same bytes and order, the stamp aside; gaps too short or too long by more than the lag."""
    sent = list(records(original))
    seen = [r for r in records(capture) if r[1] == direction or not r[1]]
    same = stamped = short = late = 0
    errors = []
    for i, (ns, _, data) in enumerate(seen):
        want = sent[i % len(sent)][2]
        place = stamp_place(data)
        stamped += place >= 0
        same += len(want) == len(data) and blank(want, place) == blank(data, place)
        if i and i % len(sent):
            error = (ns - seen[i - 1][0]) - (sent[i % len(sent)][0] - sent[i % len(sent) - 1][0])
            short += error < -LAG_NS
            late += error > LAG_NS
            errors.append(abs(error))
    errors.sort()
    print(len(seen), same, stamped, short, late, errors[len(errors) // 2] if errors else 0)


def flows(capture, trial, direction):
    """Flows of a trial's frames, and the least and the most frames of one."""
    count = {}
    for _, way, data in records(capture):
        place = stamp_place(data)
        if way == direction and place >= 0 and data[place + 3] == trial:
            count[data[26:38]] = count.get(data[26:38], 0) + 1
    print(len(count), min(count.values(), default=0), max(count.values(), default=0))


if len(sys.argv) > 3 and sys.argv[1] == "make":
    make(sys.argv[2], int(sys.argv[3]), "uniform" in sys.argv[4:])
elif len(sys.argv) == 5 and sys.argv[1] == "compare":
    compare(sys.argv[2], sys.argv[3], sys.argv[4])
elif len(sys.argv) == 5 and sys.argv[1] == "flows":
    flows(sys.argv[2], int(sys.argv[3]), sys.argv[4])
else:
    sys.exit(__doc__)
