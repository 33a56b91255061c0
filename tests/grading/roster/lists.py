"""Class lists of the same four students, in the forms in which each LMS writes them.

Canvas's and Moodle's were compared with the source code that writes and reads them, Gradescope's with the tables that
public programs read.
"""

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,00_start_here (7001),Other work (7002),Current Score,Final Score
,,,,,Manual Posting,,,
    Points Possible,,,,,8.00,10.00,(read only),(read only)
"Doe, Jane",101,S1,jdoe,A,,9.00,90.00,45.00
"Roe, Bob",102,S2,broe,B,,7.00,70.00,35.00
"Lee, Ann",103,S3,alee,A,3.50,,,
"Lee, Cy",104,S4,clee,B,EX,,,
"Student, Test",199,,0f0f0f,A,,,,
"""
_WORKSHEET_HEADER = (
    'Identifier,"Full name","Email address",Status,Group,Grade,"Maximum Grade","Grade can be changed",'
    '"Last modified (submission)","Last modified (grade)","Feedback comments"\n'
)
_SUBMITTED = '"Submitted for grading - Not marked"'
WORKSHEET = (
    _WORKSHEET_HEADER.replace("Group,", "")
    + f'''\
"Participant 101","Jane Doe",jane@example.org,{_SUBMITTED},,100.00,Yes,"Sunday, 1 March 2026, 10:00 AM",-,
"Participant 102","Bob Roe",bob@example.org,{_SUBMITTED},,100.00,Yes,"Sunday, 1 March 2026, 10:00 AM",-,"-1, ""see me"""
"Participant 103","Ann Lee",ann@example.org,{_SUBMITTED},55.00,100.00,Yes,"Sunday, 1 March 2026, 10:00 AM",-,=fine
"Participant 104","Cy Lee",cy@example.org,"No submission - ",,100.00,Yes,-,-,
'''
)
TEAM_WORKSHEET = (
    _WORKSHEET_HEADER
    + f"""\
"Participant 101","Jane Doe",jane@example.org,{_SUBMITTED},"Team red",,100.00,Yes,-,-,
"Participant 102","Bob Roe",bob@example.org,{_SUBMITTED},"Team red",,100.00,Yes,-,-,
"Participant 103","Ann Lee",ann@example.org,"No submission - ","Team blue",,100.00,Yes,-,-,
"""
)
WORKSHEET_IN_GERMAN = """\
ID,"Vollständiger Name",Status,Bewertung,Bestwertung,"Bewertung kann geändert werden","Zuletzt geändert (Abgabe)"
"Teilnehmer/in101","Jane Doe","Zur Bewertung abgegeben",,"100,00",Ja,-
"Teilnehmer/in102","Bob Roe","Zur Bewertung abgegeben","55,00","100,00",Ja,-
"Teilnehmer/in103","Ann Lee","Keine Abgabe",,"100,00",Ja,-
"Teilnehmer/in104","Cy Lee","Keine Abgabe",,"100,00",Ja,-
"""
PARTICIPANTS = """\
"First name","Last name","ID number","Email address",Groups
Jane,Doe,S1,jane@example.org,A
Bob,Roe,S2,bob@example.org,B
Ann,Lee,S3,ann@example.org,A
Cy,Lee,S4,cy@example.org,B
"""
GRADESCOPE = """\
First Name,Last Name,SID,Email,Role,Section
Jane,Doe,S1,jane@example.org,Student,A
Bob,Roe,S2,bob@example.org,Student,B
Ann,Lee,S3,ann@example.org,Student,A
Cy,Lee,S4,cy@example.org,Student,B
Max,Prof,,prof@example.org,Instructor,
"""
PLAIN = """\
name,student_id,username,section,team,excused
Jane Doe,S1,jdoe,A,red,
Bob Roe,S2,broe,B,red,
Ann Lee,S3,alee,A,,
Cy Lee,S4,clee,B,,yes
"""
