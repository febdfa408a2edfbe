"""Writes activity.csv: what a phone might log of forty people over eight months, made by a law that changes.

Whether an evening's activity is completed depends on 20 features. Every month the law moves on, in May it turns over, and each
person has a habit of her own. Usage: python3 make-log.py FOLDER
"""

import csv
import datetime
import math
import pathlib
import random
import sys

rng = random.Random(7)
PLACES = ["home", "work", "gym", "park", "cafe"]
WEATHER = ["sun", "rain", "cloud", "snow"]
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)

people = [{"bias": rng.gauss(0, 0.6), "hour": rng.gauss(18, 3), "steps": rng.gauss(7000, 2000)} for _ in range(40)]
header = ["date", "user", "weekday", "hour", "place", "weather", "steps", "sleep", "screen", "calls", "messages", "battery",
          "charging", "noise", "light", "pulse", "streak", "missed", "reminders", "opened", "distance", "speed", "completed"]
rows = []
for day in range(243):
    date = datetime.date(2024, 1, 1) + datetime.timedelta(days=day)
    month = date.month
    turned = -1 if month >= 5 else 1
    for number, person in enumerate(people):
        if rng.random() < 0.6:
            continue
        weekend = date.weekday() >= 5
        hour = min(23, max(0, round(person["hour"] + rng.gauss(0, 2))))
        place, weather = rng.choice(PLACES), rng.choice(WEATHER if month < 4 else WEATHER[:3])
        steps = max(0, round(person["steps"] * (1 + 0.05 * month) + rng.gauss(0, 1500)))
        sleep, screen, pulse = rng.gauss(7.2, 1), rng.expovariate(1 / 120), rng.gauss(66, 7)
        streak, missed, reminders = rng.randrange(20), rng.randrange(5), rng.randrange(4)
        z = (person["bias"] + turned * (0.25 * (streak - 9.5) / 3 + (1.2 if place == "gym" else -0.2))
             + (0.9 if weekend else -0.3) * (1 if month % 2 else -1) + 0.8 * (sleep - 7.2) - 0.4 * missed + 0.3 * reminders)
        completed = rng.random() < 1 / (1 + math.exp(-z))
        rows.append([
            date.isoformat(), f"u{number + 1:02}", date.strftime("%a"), hour, place, weather,
            "" if rng.random() < 0.05 else steps, "NA" if rng.random() < 0.1 else round(sleep, 1), round(screen), rng.randrange(9),
            rng.randrange(60), rng.randrange(5, 101), int(rng.random() < 0.3), round(rng.gauss(50, 9)), round(rng.expovariate(1 / 300)),
            round(pulse), streak, missed, reminders, rng.randrange(reminders + 1), round(steps * 0.00072, 2),
            round(abs(rng.gauss(4, 2)), 1), "yes" if completed else "no",
        ])

with open(folder / "activity.csv", "w", newline="") as file:
    csv.writer(file).writerows([header] + rows)
print(f"{len(rows)} rows in {folder / 'activity.csv'}")
